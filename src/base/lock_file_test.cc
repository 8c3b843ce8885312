#include "base/lock_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/testing/scratch_folder.h"

namespace coffer {
namespace {

class LockFileTest : public testing::Test {
 protected:
  using Mode = LockFile::Mode;
  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "lock";
};

TEST_F(LockFileTest, OneHoldsItAloneAndItGoesWithHim) {
  {
    const auto first = LockFile::take(file_, Mode::alone, "first");
    ASSERT_TRUE(first && *first);
    const auto second = LockFile::take(file_, Mode::alone, "second");
    ASSERT_TRUE(second);
    EXPECT_FALSE(*second);
    EXPECT_TRUE(LockFile::holder_of(file_).starts_with("first, since 2"));
    EXPECT_FALSE(*LockFile::take(file_, Mode::shared));
  }
  EXPECT_TRUE(*LockFile::take(file_, Mode::alone, "second"));
  EXPECT_TRUE(LockFile::holder_of(file_).starts_with("second, since 2"));
}

TEST_F(LockFileTest, ManyShareItAndOneAloneWaits) {
  const auto first = LockFile::take(file_, Mode::shared);
  const auto second = LockFile::take(file_, Mode::shared);
  ASSERT_TRUE(first && *first && second && *second);
  EXPECT_FALSE(*LockFile::take(file_, Mode::alone, "server"));
}

TEST_F(LockFileTest, NoLinkIsFollowed) {
  const auto other = folder_.path() / "other";
  std::ofstream(other) << "theirs";
  std::filesystem::create_symlink(other, file_);
  EXPECT_FALSE(LockFile::take(file_, Mode::alone, "server"));
  EXPECT_EQ(std::filesystem::file_size(other), 6U);
}

TEST_F(LockFileTest, AFileThatCannotBeMadeIsAFailure) {
  EXPECT_EQ(LockFile::take("/nonexistent/lock", Mode::alone).error().code, ErrorCode::failed);
  EXPECT_EQ(LockFile::holder_of("/nonexistent/lock"), "");
}

TEST_F(LockFileTest, AHolderIsNamedByItsProcess) {
  EXPECT_TRUE(lock_holder("coffer serve")
                  .starts_with("coffer serve, process " + std::to_string(::getpid()) + " on "));
}

}  // namespace
}  // namespace coffer
