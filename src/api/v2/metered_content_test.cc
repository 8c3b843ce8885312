#include "api/v2/metered_content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "async/run.h"

namespace coffer::api::v2 {
namespace {

class Zeros final : public http::Content {
 public:
  Task<Result<std::size_t>> read(std::uint64_t, std::span<std::byte> out) override {
    co_return out.size();
  }
  std::optional<std::size_t> read_now(std::uint64_t, std::span<std::byte> out) override {
    return out.size();
  }
  std::optional<int> descriptor() const override { return 1; }
  Task<void> prefetch(std::uint64_t, std::uint64_t) override { co_return; }
  Task<Result<void>> may_go_on() override { co_return fail(ErrorCode::forbidden, "Lost."); }
};

TEST(MeteredContent, EndsWithTheRightToWhatItMeters) {
  const auto charge = [](std::uint64_t) -> Task<Result<void>> { co_return Result<void>{}; };
  MeteredContent content(std::make_shared<Zeros>(), 1, charge);
  EXPECT_EQ(run(content.may_go_on()).error().message, "Lost.");
}

TEST(MeteredContent, GivesNothingThatIsNotCharged) {
  std::uint64_t left = 3 * 1024 * 1024;
  const auto charge = [&](std::uint64_t bytes) -> Task<Result<void>> {
    if (bytes > left) co_return fail(ErrorCode::forbidden, "No more.");
    left -= bytes;
    co_return Result<void>{};
  };
  MeteredContent content(std::make_shared<Zeros>(), 16 * 1024 * 1024, charge);
  EXPECT_FALSE(content.descriptor());
  std::vector<std::byte> space(1024 * 1024);
  EXPECT_FALSE(content.read_now(0, space));
  EXPECT_EQ(run(content.read(0, space)).value(), 512U * 1024);
  std::uint64_t given = 512 * 1024;
  for (;;) {
    const auto got = run(content.read(given, space));
    if (!got) break;
    given += *got;
  }
  EXPECT_EQ(given, 3U * 1024 * 1024);
  EXPECT_EQ(left, 0U);
  EXPECT_EQ(run(content.read(given, space)).error().code, ErrorCode::forbidden);
}

TEST(MeteredContent, ASmallAnswerIsChargedAtOnce) {
  int charges = 0;
  const auto charge = [&](std::uint64_t) -> Task<Result<void>> {
    ++charges;
    co_return Result<void>{};
  };
  MeteredContent content(std::make_shared<Zeros>(), 64 * 1024, charge);
  std::vector<std::byte> space(64 * 1024);
  EXPECT_EQ(run(content.read(0, space)).value(), space.size());
  EXPECT_EQ(charges, 1);
}

}  // namespace
}  // namespace coffer::api::v2
