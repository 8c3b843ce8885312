#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "backends/local/handle.h"
#include "backends/local/testing/local_fixture.h"
#include "backends/local/tree_walk.h"
#include "storage/depth.h"

namespace coffer::local {
namespace {

using storage::TreeSize;

class Deep : public LocalFixture {
 protected:
  /// 60 levels of names of 255 bytes: far above PATH_MAX.
  static std::string long_path(char letter) {
    std::string path;
    for (int level = 0; level < 60; ++level) path += std::string(255, letter) + '/';
    return path;
  }
};

TEST_F(Deep, PathsLongerThanTheKernelTakesWork) {
  const Path folder = path_of(long_path('a'));
  const Path file = path_of(long_path('a') + "file");
  const Path renamed = path_of(long_path('a') + "renamed");
  ASSERT_TRUE(run(backend().make_folder(folder)));
  ASSERT_TRUE(upload(backend(), file, "deep"));
  EXPECT_EQ(download(backend(), file), "deep");
  ASSERT_TRUE(run(backend().rename(file, renamed)));
  EXPECT_EQ(names(backend(), folder.str()), std::vector<std::string>{"renamed"});
  EXPECT_TRUE(backend().stat_now(renamed));
  const auto view = backend().beneath(folder);
  EXPECT_EQ(download(*view, path_of("renamed")), "deep");
}

TEST_F(Deep, TreesDeeperThanTheKernelTakesAreCopiedAndRemoved) {
  const Path folder = path_of(long_path('a'));
  const Path file = path_of(long_path('a') + "file");
  ASSERT_TRUE(run(backend().make_folder(folder)));
  ASSERT_TRUE(upload(backend(), file, "deep"));
  const Path top = path_of(std::string(255, 'a'));
  const Path copy = path_of("copy");
  const TreeSize size{4, 1, 60};
  EXPECT_EQ(run(backend().measure(top)), size);
  EXPECT_EQ(run(backend().copy(top, copy, {.limit_bytes = 4})), size);
  EXPECT_EQ(run(backend().remove(top)), size);
  EXPECT_EQ(run(backend().remove(copy)), size);
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(Deep, NamesThatAreTooLongAreNotThereAndCannotBeMade) {
  const std::string name(256, 'n');
  const Path direct = path_of(name);
  const Path inside = path_of("made/" + name);
  const Path huge = path_of(std::string(5000, 'n') + "/file");
  EXPECT_EQ(code_of(run(backend().stat(direct))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().stat(huge))), ErrorCode::not_found);
  EXPECT_EQ(code_of(upload(backend(), direct, "x")), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend().make_folder(direct))), ErrorCode::invalid);
  // What was made on the way is taken back.
  EXPECT_EQ(code_of(run(backend().make_folder(inside))), ErrorCode::invalid);
  EXPECT_EQ(names(backend()), std::vector<std::string>());
}

constexpr std::size_t kDeepest = storage::kDeepestFolder;

class TooDeep : public LocalFixture {
 protected:
  /// A path of so many folders.
  static std::string folders(std::size_t count, char letter = 'd') {
    std::string path(1, letter);
    for (std::size_t i = 1; i < count; ++i) path += std::string("/") + letter;
    return path;
  }
  std::optional<ErrorCode> make(const std::string& path) {
    const Path folder = path_of(path);
    return code_of(run(backend().make_folder(folder)));
  }
  std::optional<ErrorCode> rename(const std::string& from, const std::string& to) {
    const Path old = path_of(from);
    const Path renamed = path_of(to);
    return code_of(run(backend().rename(old, renamed)));
  }
  std::optional<ErrorCode> copy(const std::string& from, const std::string& to) {
    const Path source = path_of(from);
    const Path target = path_of(to);
    return code_of(run(backend().copy(source, target, {})));
  }
  /// A tree of another program, with a file at its bottom. The test's own calls go by handles too.
  void make_by_hand(const char* name, std::size_t levels) const {
    Handle folder = open_top(root());
    for (std::size_t level = 0; level < levels; ++level) {
      const char* next = level == 0 ? name : "d";
      ASSERT_EQ(::mkdirat(folder.get(), next, 0755), 0);
      folder = Handle(::openat(folder.get(), next, O_PATH | O_DIRECTORY | O_CLOEXEC));
      ASSERT_TRUE(folder);
    }
    ASSERT_TRUE(Handle(::openat(folder.get(), "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0644)));
  }
};

TEST_F(TooDeep, NoFolderIsMade) {
  EXPECT_EQ(make(folders(kDeepest)), std::nullopt);
  EXPECT_EQ(make(folders(kDeepest) + "/d"), ErrorCode::invalid);
  EXPECT_EQ(make(folders(kDeepest + 5, 'x')), ErrorCode::invalid);
  EXPECT_EQ(names(backend()), std::vector<std::string>{"d/"});
  EXPECT_TRUE(upload(backend(), path_of(folders(kDeepest) + "/file"), "deep"));
  // In a view it counts from the root of all.
  const auto view = backend().beneath(path_of(folders(kDeepest)));
  const Path below = path_of("below");
  EXPECT_EQ(code_of(run(view->make_folder(below))), ErrorCode::invalid);
}

TEST_F(TooDeep, NoFolderIsBroughtThere) {
  ASSERT_EQ(make(folders(150, 'a')), std::nullopt);
  ASSERT_EQ(make(folders(60, 'b')), std::nullopt);
  const std::string bottom = folders(150, 'a');
  EXPECT_EQ(rename("b", bottom + "/b"), ErrorCode::invalid);
  EXPECT_EQ(copy("b", bottom + "/b"), ErrorCode::invalid);
  EXPECT_EQ(names(backend()), (std::vector<std::string>{"a/", "b/"}));
  EXPECT_EQ(names(backend(), bottom), std::vector<std::string>());
  // The same tree without its top fits.
  EXPECT_EQ(copy(folders(11, 'b'), bottom + "/b"), std::nullopt);
  EXPECT_EQ(rename(folders(11, 'b'), bottom + "/c"), std::nullopt);
  EXPECT_EQ(rename(bottom + "/c", "c"), std::nullopt);
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(TooDeep, DoublingEndsThere) {
  ASSERT_EQ(make("a"), std::nullopt);
  ASSERT_EQ(make("b"), std::nullopt);
  std::string bottom = "a";
  std::size_t depth = 1;
  while (depth + 1 <= kDeepest) {
    EXPECT_EQ(copy("a", "next"), std::nullopt);
    const auto refused = rename("next", bottom + "/a");
    if (refused) {
      EXPECT_EQ(refused, ErrorCode::invalid);
      break;
    }
    bottom += '/' + bottom;
    depth *= 2;
  }
  EXPECT_LE(depth, kDeepest);
  EXPECT_GT(2 * depth, kDeepest);
}

TEST_F(TooDeep, FilesGoToTheDeepestFolder) {
  ASSERT_EQ(make(folders(kDeepest)), std::nullopt);
  put("file", "content");
  EXPECT_EQ(rename("file", folders(kDeepest) + "/file"), std::nullopt);
  EXPECT_EQ(copy(folders(kDeepest) + "/file", folders(kDeepest) + "/copy"), std::nullopt);
}

TEST_F(TooDeep, TreesOfOthersAreMeasuredMovedUpAndRemoved) {
  constexpr std::size_t kLevels = 300;
  make_by_hand("theirs", kLevels);
  const Path theirs = path_of("theirs");
  const TreeSize size{0, 1, kLevels};
  EXPECT_EQ(run(backend().measure(theirs)), size);
  EXPECT_EQ(rename("theirs", "other"), std::nullopt);
  EXPECT_EQ(rename("other/d", "up"), std::nullopt);
  EXPECT_EQ(rename("up", "other/down"), ErrorCode::invalid);
  EXPECT_EQ(copy("up", "copy"), ErrorCode::invalid);
  EXPECT_EQ(names(backend()), (std::vector<std::string>{"other/", "up/"}));
  const Path up = path_of("up");
  EXPECT_EQ(run(backend().remove(up)), (TreeSize{0, 1, kLevels - 1}));
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_F(TooDeep, TheyGoIntoTheBin) {
  make_by_hand("theirs", kDeepest + 50);
  ASSERT_EQ(make(".coffer-bin"), std::nullopt);
  EXPECT_EQ(rename("theirs", ".coffer-bin/item"), std::nullopt);
  EXPECT_EQ(rename(".coffer-bin/item", "theirs"), std::nullopt);
}

TEST_F(TooDeep, AWalkMeetsAllOfThem) {
  constexpr std::size_t kLevels = 300;
  make_by_hand("theirs", kLevels);
  const Handle top = open_top(root());
  std::size_t items = 0;
  walk_tree(top.get(), [&](const WalkedItem&) { return ++items > 0; });
  EXPECT_EQ(items, kLevels + 1);
  EXPECT_EQ(has_folder_below(top.get(), kLevels), false);
  EXPECT_EQ(has_folder_below(top.get(), kLevels - 1), true);
}

}  // namespace
}  // namespace coffer::local
