#include "storage/two_spools.h"

#include <gtest/gtest.h>

#include <map>

#include "async/run.h"

namespace coffer::storage {
namespace {

using Sizes = std::map<std::string, std::uint64_t>;

class FakeFile final : public SpoolFile {
 public:
  explicit FakeFile(std::uint64_t size) : size_(size) {}
  std::uint64_t size_bytes() const override { return size_; }
  Task<Result<void>> append(std::span<const std::byte>) override { co_return Result<void>(); }
  Task<Result<void>> sync() override { co_return Result<void>(); }
  Task<Result<void>> truncate(std::uint64_t) override { co_return Result<void>(); }
  Task<Result<std::size_t>> read(std::uint64_t, std::span<std::byte>) override { co_return 0; }

 private:
  const std::uint64_t size_;
};

/// Keeps the sizes of its files alone.
class FakeSpool final : public Spool {
 public:
  explicit FakeSpool(Sizes& files) : files_(files) {}
  Task<Result<std::unique_ptr<SpoolFile>>> open(UploadTurn turn, std::uint64_t size_bytes,
                                                Pool&) override {
    const bool has_enough =
        files_.contains(turn.upload.value) && files_[turn.upload.value] >= size_bytes;
    if (size_bytes > 0 && !has_enough) co_return fail(ErrorCode::not_found, "There are fewer.");
    files_[turn.upload.value] = size_bytes;
    co_return std::make_unique<FakeFile>(size_bytes);
  }
  Task<Result<void>> remove(std::string name, Pool&) override {
    files_.erase(name);
    co_return Result<void>();
  }
  Task<Result<std::vector<std::string>>> names(Pool&) override {
    std::vector<std::string> names;
    for (const auto& [name, size] : files_) names.push_back(name);
    co_return names;
  }
  Task<Result<std::uint64_t>> free_bytes(Pool&) override { co_return files_.size(); }

 private:
  Sizes& files_;
};

TEST(TwoSpools, UploadsGoOnWhereTheyBegan) {
  Sizes first{{"both", 5}};
  Sizes second{{"old", 10}, {"both", 5}};
  Pool pool(1);
  TwoSpools spools(std::make_unique<FakeSpool>(first), std::make_unique<FakeSpool>(second));
  const auto open = [&](const char* name, std::uint64_t size) {
    return run(spools.open({{name}, 0}, size, pool));
  };
  EXPECT_TRUE(open("new", 0));
  EXPECT_EQ(first.count("new"), 1U);
  EXPECT_EQ(open("old", 10).value()->size_bytes(), 10U);
  EXPECT_EQ(open("old", 11).error().code, ErrorCode::not_found);
  EXPECT_EQ(first.count("old"), 0U);
  EXPECT_EQ(run(spools.names(pool)).value(), (std::vector<std::string>{"both", "new", "old"}));
  EXPECT_TRUE(run(spools.remove("both", pool)));
  EXPECT_EQ(first.count("both") + second.count("both"), 0U);
  EXPECT_EQ(run(spools.free_bytes(pool)), 1U);
}

}  // namespace
}  // namespace coffer::storage
