#include "backends/local/tree_mirror.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "base/testing/scratch_folder.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using Gone = TreeMirror::Gone;

class TreeMirrorTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(source_);
    fs::create_directories(target_);
  }
  void make(const std::string& path, const std::string& content) const {
    fs::create_directories((source_ / path).parent_path());
    std::ofstream(source_ / path) << content;
  }
  TreeMirror mirror(TreeMirror::Options options = {}) const {
    return {open_top(source_), open_top(target_), std::move(options)};
  }
  /// Every item of the copy; a folder's content is "/".
  std::map<std::string, std::string> copied() const {
    std::map<std::string, std::string> all;
    for (const auto& each : fs::recursive_directory_iterator(target_)) {
      const std::string path = each.path().lexically_relative(target_).string();
      std::ifstream in(each.path());
      all[path] = each.is_directory() ? "/" : std::string(std::istreambuf_iterator<char>(in), {});
    }
    return all;
  }
  using Items = std::map<std::string, std::string>;

  ScratchFolder folder_;
  const fs::path source_ = folder_.path() / "source";
  const fs::path target_ = folder_.path() / "target";
};

TEST_F(TreeMirrorTest, CopiesContentsModesTimesAndLinks) {
  make("a/b/file", "content");
  ::chmod((source_ / "a/b/file").c_str(), 0640);
  const auto time = fs::last_write_time(source_ / "a/b/file") - std::chrono::hours(48);
  fs::last_write_time(source_ / "a/b/file", time);
  fs::create_symlink("b/file", source_ / "a/link");
  ::chmod((source_ / "a/b").c_str(), 0500);
  fs::last_write_time(source_ / "a", time);
  auto copy = mirror();
  ASSERT_TRUE(copy.pass(Gone::stays));
  ASSERT_TRUE(copy.finish());
  EXPECT_EQ(copied(),
            (Items{{"a", "/"}, {"a/b", "/"}, {"a/b/file", "content"}, {"a/link", "content"}}));
  EXPECT_EQ(fs::read_symlink(target_ / "a/link"), "b/file");
  EXPECT_EQ(fs::status(target_ / "a/b/file").permissions(), fs::perms(0640));
  EXPECT_EQ(fs::status(target_ / "a/b").permissions(), fs::perms(0500));
  EXPECT_EQ(fs::last_write_time(target_ / "a/b/file"), time);
  EXPECT_EQ(fs::last_write_time(target_ / "a"), time);
  EXPECT_EQ(copy.files(), 1);
  EXPECT_EQ(copy.bytes(), 7);
}

TEST_F(TreeMirrorTest, LaterPassesFindWhatWasMadeMovedAndReplaced) {
  make("moved/file", "one");
  make("kept", "old");
  make("gone", "gone");
  auto copy = mirror();
  ASSERT_TRUE(copy.pass(Gone::stays));
  fs::rename(source_ / "moved", source_ / "elsewhere");
  make("kept", "new");
  make("made/new", "made");
  fs::remove(source_ / "gone");
  ASSERT_TRUE(copy.pass(Gone::stays));
  EXPECT_EQ(copied().at("gone"), "gone");
  EXPECT_EQ(copied().at("moved/file"), "one");
  ASSERT_TRUE(copy.pass(Gone::goes));
  EXPECT_EQ(copied(), (Items{{"elsewhere", "/"},
                             {"elsewhere/file", "one"},
                             {"kept", "new"},
                             {"made", "/"},
                             {"made/new", "made"}}));
}

TEST_F(TreeMirrorTest, FoldersThatChangePlacesTakeTheirFilesAlong) {
  // Files of one size and time, whose own times of change are not touched by the move.
  make("a/file", "one");
  make("b/file", "two");
  const auto time = fs::last_write_time(source_ / "a/file");
  fs::last_write_time(source_ / "b/file", time);
  auto copy = mirror();
  ASSERT_TRUE(copy.pass(Gone::stays));
  fs::rename(source_ / "a", source_ / "c");
  fs::rename(source_ / "b", source_ / "a");
  fs::rename(source_ / "c", source_ / "b");
  ASSERT_TRUE(copy.pass(Gone::goes));
  EXPECT_EQ(copied(), (Items{{"a", "/"}, {"a/file", "two"}, {"b", "/"}, {"b/file", "one"}}));
}

TEST_F(TreeMirrorTest, AFileMayTakeTheNameOfAFolder) {
  make("a/b/file", "deep");
  make("c", "file");
  auto copy = mirror();
  ASSERT_TRUE(copy.pass(Gone::stays));
  fs::remove_all(source_ / "a");
  fs::remove(source_ / "c");
  make("a", "now a file");
  make("c/file", "now in a folder");
  ASSERT_TRUE(copy.pass(Gone::goes));
  EXPECT_EQ(copied(), (Items{{"a", "now a file"}, {"c", "/"}, {"c/file", "now in a folder"}}));
}

TEST_F(TreeMirrorTest, LeavesOutWhatIsNotWantedAndWhatIsUnfinished) {
  make("wanted/file", "1");
  make("other/file", "2");
  make(".coffer-staging/x", "3");
  auto copy = mirror({.has = [](const std::string& path) { return path != "other"; }});
  ASSERT_TRUE(copy.pass(Gone::goes));
  EXPECT_EQ(copied(), (Items{{"wanted", "/"}, {"wanted/file", "1"}}));
}

TEST_F(TreeMirrorTest, AFailureNamesTheItem) {
  make("a/file", "1");
  auto copy = mirror();
  fs::create_directories(target_ / "a/file/below");
  ::chmod((target_ / "a").c_str(), 0700);
  ASSERT_TRUE(copy.pass(Gone::stays)) << "what stands in the way is removed";
  TreeMirror none(Handle(), open_top(target_), {});
  const auto failed = none.pass(Gone::stays);
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().message.starts_with("The folder: ")) << failed.error().message;
}

}  // namespace
}  // namespace coffer::local
