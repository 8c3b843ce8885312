#include "backends/rclone/drive_item.h"

#include <gtest/gtest.h>

namespace coffer::rclone {
namespace {

bool sane(std::string path, std::string_view folder) {
  return is_sane({.path = std::move(path)}, folder);
}

TEST(DriveItem, NamesThatNoDriveShouldTellAreNotSane) {
  EXPECT_TRUE(sane("fine", ""));
  EXPECT_TRUE(sane("a/b/fine", "a/b"));
  for (const char* path : {"", "a", "a/", "a/..", "a/.", "a/b/c", "../x", "b/x", "aa/x", "a/x\ny",
                           "a/x\x7f", "a/\xff", "/x", "a//x"}) {
    EXPECT_FALSE(sane(path, "a")) << path;
  }
  for (const char* path : {"", ".", "..", "a/b", "/", "/a", "a\r"}) {
    EXPECT_FALSE(sane(path, "")) << path;
  }
  EXPECT_FALSE(sane("a/" + std::string(5000, 'x'), "a"));
}

}  // namespace
}  // namespace coffer::rclone
