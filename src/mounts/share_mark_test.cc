#include "mounts/share_mark.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/testing/scratch_folder.h"

namespace coffer::mounts {
namespace {

namespace fs = std::filesystem;

local::Handle opened(const fs::path& folder) {
  return local::open_whole(folder, O_RDONLY, 0);
}

TEST(ShareMark, IsMadeOnceAndIsTheFolders) {
  const ScratchFolder one;
  const ScratchFolder other;
  const auto made = mark_of(opened(one.path())).value();
  EXPECT_TRUE(made.is_new);
  const auto again = mark_of(opened(one.path())).value();
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.text, made.text);
  EXPECT_NE(mark_of(opened(other.path()))->text, made.text);
  remove_mark(opened(one.path()));
  EXPECT_TRUE(fs::is_empty(one.path()));
}

TEST(ShareMark, IsNotReadThroughALink) {
  const ScratchFolder folder;
  const ScratchFolder other;
  (void)mark_of(opened(other.path()));
  fs::create_symlink(other.path() / ".coffer-mark", folder.path() / ".coffer-mark");
  const auto mark = mark_of(opened(folder.path()));
  ASSERT_FALSE(mark);
  EXPECT_EQ(mark.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace coffer::mounts
