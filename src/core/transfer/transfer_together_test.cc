#include <algorithm>
#include <numeric>
#include <string>

#include "core/testing/transfer_fixture.h"
#include "core/transfer/transfer_tree.h"

namespace coffer::core {
namespace {

using storage::TreeSize;

constexpr std::size_t kSmallBytes = 4096;

/// A source that opens files together.
class TransferTogetherTest : public TransferTest {
 protected:
  TransferTogetherTest() {
    from_.hooks.together = [](const Path&) { return true; };
    put_folder(source_, "a");
  }

  void put_many(const std::string& folder, std::size_t count, std::size_t bytes = kSmallBytes) {
    for (std::size_t i = 0; i < count; ++i) {
      put(source_, folder + "/" + std::to_string(i), noise(bytes + i));
    }
  }

  /// Files that were opened together.
  std::size_t together() const {
    return std::accumulate(from_.seen.together.begin(), from_.seen.together.end(), std::size_t{0});
  }

  void expect_copied() {
    Contents expected;
    for (const auto& [path, content] : contents_of(source_))
      expected["copy" + path.substr(1)] = content;
    EXPECT_TRUE(contents_of(target_) == expected);
  }
};

TEST_F(TransferTogetherTest, SmallFilesOfAFolderAreOpenedTogether) {
  put_many("a", 20);
  put(source_, "a/empty", "");
  put(source_, "a/large", noise(kLargeFileBytes + 1));
  EXPECT_TRUE(copy("a", "copy"));
  EXPECT_EQ(from_.seen.together, std::vector<std::size_t>{20});
  EXPECT_EQ(from_.seen.calls["open"], 2);
  expect_copied();
}

TEST_F(TransferTogetherTest, OneSmallFileIsOpenedByItself) {
  put(source_, "a/one", "1");
  EXPECT_TRUE(copy("a", "copy"));
  EXPECT_EQ(together(), 0U);
  expect_copied();
}

TEST_F(TransferTogetherTest, WhatCouldNotBeOpenedTogetherIsOpenedByItself) {
  from_.hooks.together = [](const Path& file) { return file.name() != "3"; };
  put_many("a", 6);
  EXPECT_TRUE(copy("a", "copy"));
  EXPECT_EQ(from_.seen.calls["open"], 1);
  expect_copied();
}

TEST_F(TransferTogetherTest, ManyAreOpenedBitByBit) {
  put_many("a", 1100);
  put_folder(source_, "a/b");
  put_many("a/b", 40, std::size_t{100} * 1024);
  EXPECT_TRUE(copy("a", "copy"));
  EXPECT_EQ(together(), 1140U);
  EXPECT_LE(*std::ranges::max_element(from_.seen.together), 512U);
  // Two batches of 2 MiB at most are in memory.
  EXPECT_LE(from_.seen.most_readers, 1024);
  expect_copied();
}

TEST_F(TransferTogetherTest, AMoveTakesThemToo) {
  put_many("a", 10);
  const Contents before = contents_of(source_);
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(source_), Contents{});
  EXPECT_TRUE(contents_of(target_) == before);
}

TEST_F(TransferTogetherTest, ARightThatIsGoneOpensNothing) {
  put_many("a", 10);
  int asked = 0;
  options_.recheck = [&asked] {
    Result<void> answer;
    if (++asked > 1) answer = fail(ErrorCode::forbidden, "No more.");
    return done_with(std::move(answer));
  };
  EXPECT_EQ(code_of(copy("a", "copy")), ErrorCode::forbidden);
  EXPECT_EQ(together(), 0U);
  EXPECT_EQ(contents_of(target_), Contents{});
}

TEST_F(TransferTogetherTest, AReadThatBreaksGoesOnByItself) {
  put_many("a", 3);
  from_.hooks.read = [left = 1](const Path& file, std::uint64_t, std::span<std::byte>&) mutable {
    if (file.name() != "1" || left-- <= 0) return std::optional<Error>();
    return std::optional<Error>({ErrorCode::unavailable, "It is not held any more."});
  };
  EXPECT_TRUE(copy("a", "copy"));
  EXPECT_EQ(from_.seen.calls["open"], 1);
  expect_copied();
}

}  // namespace
}  // namespace coffer::core
