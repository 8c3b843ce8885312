#include "core/uploads/upload_reception.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "async/run.h"
#include "base/clock.h"
#include "catalog/testing/scratch_catalog.h"

namespace coffer::core {
namespace {

std::string hex_of(DigestKind kind, std::string_view first, std::string_view second) {
  ContentDigest digest(kind);
  digest.add(std::as_bytes(std::span(first)));
  digest.add(std::as_bytes(std::span(second)));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : digest.finish()) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kDigits[value >> 4];
    hex += kDigits[value & 15];
  }
  EXPECT_EQ(hex.size(), 2 * digest_bytes(kind));
  return hex;
}

// FIPS 180-2, appendices A.1 and B.1.
TEST(ContentDigest, IsWhatTheStandardSays) {
  EXPECT_EQ(hex_of(DigestKind::sha1, "a", "bc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex_of(DigestKind::sha256, "ab", "c"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of(DigestKind::sha1, "", ""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

/// A file of the spool in memory, which fails the test if bytes come before they are held.
class HeldFile final : public storage::SpoolFile {
 public:
  explicit HeldFile(const std::uint64_t& held) : held_(held) {}
  std::uint64_t size_bytes() const override { return size_; }
  Task<Result<void>> append(std::span<const std::byte> data) override {
    size_ += data.size();
    EXPECT_LE(size_, held_);
    co_return Result<void>{};
  }
  Task<Result<void>> sync() override { co_return Result<void>{}; }
  Task<Result<void>> truncate(std::uint64_t size) override {
    size_ = size;
    co_return Result<void>{};
  }
  Task<Result<std::size_t>> read(std::uint64_t, std::span<std::byte>) override { co_return 0; }

 private:
  const std::uint64_t& held_;
  std::uint64_t size_ = 0;
};

/// So many bytes, in blocks.
class Zeros final : public UploadSource {
 public:
  explicit Zeros(std::uint64_t bytes) : left_(bytes) {}
  Task<Result<std::span<const std::byte>>> read() override {
    const auto count = std::min<std::uint64_t>(left_, block_.size());
    left_ -= count;
    co_return std::span<const std::byte>(block_).first(count);
  }
  std::optional<std::uint64_t> length() const override { return std::nullopt; }
  void interrupt() override {}

 private:
  std::vector<std::byte> block_ = std::vector<std::byte>(64 * 1024);
  std::uint64_t left_;
};

class UploadReceptionTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kMiB = 1024 * 1024;

  void SetUp() override {
    record_.id.value = "a";
    record_.account = catalog_.add_account("ada").id;
    record_.name = "a";
    record_.length_bytes = 100 * kMiB;
    record_.created_at = record_.touched_at = now();
    ASSERT_TRUE(run(catalog_->uploads().create(record_, {9, 9, 9, 9})));
  }
  /// Receives bytes, of which `most` may be held.
  Result<UploadRefusal> receive(std::uint64_t bytes, std::uint64_t most,
                                std::optional<WantedChecksum> checksum = {}) {
    const auto hold = [&, most](std::uint64_t wanted) -> Task<Result<void>> {
      ++holds_;
      if (wanted > most) co_return fail_over_quota();
      held_ = wanted;
      co_return Result<void>{};
    };
    UploadReception reception(catalog_->uploads(), record_, file_, std::move(checksum), pool_,
                              hold);
    Zeros source(bytes);
    return run(reception.receive(source));
  }

  catalog::ScratchCatalog catalog_;
  Pool pool_{1};
  catalog::UploadRecord record_;
  std::uint64_t held_ = 0;
  int holds_ = 0;
  HeldFile file_{held_};
};

TEST_F(UploadReceptionTest, NothingIsStoredBeforeItIsHeld) {
  ASSERT_TRUE(receive(30 * kMiB, 100 * kMiB));
  EXPECT_EQ(file_.size_bytes(), 30 * kMiB);
  EXPECT_EQ(held_, 30 * kMiB);  // What was held ahead is given back.
  EXPECT_LE(holds_, 6);
}

TEST_F(UploadReceptionTest, WhatFitsIsKept) {
  EXPECT_EQ(receive(30 * kMiB, 20 * kMiB).error().code, ErrorCode::over_quota);
  EXPECT_EQ(file_.size_bytes(), 20 * kMiB);
  EXPECT_EQ(held_, 20 * kMiB);
}

TEST_F(UploadReceptionTest, WhatIsNotKeptIsNotHeld) {
  EXPECT_EQ(receive(3 * kMiB, 100 * kMiB, WantedChecksum{DigestKind::sha1, "another"}).value(),
            UploadRefusal::differs);
  EXPECT_EQ(file_.size_bytes(), 0U);
  EXPECT_EQ(held_, 0U);
}

}  // namespace
}  // namespace coffer::core
