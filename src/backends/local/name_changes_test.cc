#include "backends/local/name_changes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "backends/local/handle.h"
#include "backends/local/testing/local_fixture.h"
#include "base/testing/scratch_folder.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// While it is set, no file can be renamed.
std::atomic<bool> renames_fail = false;
/// While it is set, no file's size can be changed but by writing.
std::atomic<bool> truncations_fail = false;

}  // namespace
}  // namespace coffer::local

/// The program's own, in place of the C library's.
extern "C" int renameat(int from, const char* name, int to, const char* new_name) noexcept {
  if (coffer::local::renames_fail) {
    errno = EPERM;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_renameat2, from, name, to, new_name, 0));
}

/// The same.
extern "C" int ftruncate(int file, off_t bytes) noexcept {
  if (coffer::local::truncations_fail) {
    errno = EPERM;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_ftruncate, file, bytes));
}

namespace coffer::local {
namespace {

class NameChangesTest : public testing::TestWithParam<KindOfDisk> {
 protected:
  NameChangesTest() {
    fs::create_directories(top_.path() / "staging");
    fs::create_directories(top_.path() / "root");
    staging_ = open_top(top_.path() / "staging");
    root_ = open_top(top_.path() / "root");
    changes_.emplace(NameChanges::try_out(staging_.get(), GetParam().allowed).value());
  }

  const NameChanges& changes() const { return *changes_; }
  NameRef staged(const char* name) const { return {staging_.get(), name}; }
  NameRef shown(const char* name) const { return {root_.get(), name}; }
  int replace_errno(const char* from, const char* to) const {
    const auto replaced = changes().replace(staged(from), shown(to));
    return replaced ? 0 : replaced.error();
  }
  void put(const fs::path& relative, std::string_view content) const {
    std::ofstream(top_.path() / relative) << content;
  }
  std::string content_of(const fs::path& relative) const {
    std::ifstream file(top_.path() / relative);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool is_there(const fs::path& relative) const {
    return fs::exists(fs::symlink_status(top_.path() / relative));
  }

  const ScratchFolder top_;
  Handle staging_;
  Handle root_;
  std::optional<NameChanges> changes_;
};

TEST_P(NameChangesTest, TryingThemOutLeavesNothing) {
  EXPECT_TRUE(fs::is_empty(top_.path() / "staging"));
}

TEST_P(NameChangesTest, AFreeNameIsGiven) {
  put("staging/a", "new");
  fs::create_directories(top_.path() / "staging/folder/below");
  fs::create_symlink("nowhere", top_.path() / "staging/link");
  for (const char* name : {"a", "folder", "link"}) {
    EXPECT_EQ(changes().rename_to_free(staged(name), shown(name)), 0) << name;
    EXPECT_FALSE(is_there(fs::path("staging") / name));
  }
  EXPECT_EQ(content_of("root/a"), "new");
  EXPECT_TRUE(is_there("root/folder/below"));
  EXPECT_EQ(fs::read_symlink(top_.path() / "root/link"), "nowhere");
}

TEST_P(NameChangesTest, AStagedFileIsShownUnderAFreeNameAlone) {
  put("staging/one", "one");
  put("staging/other", "other");
  EXPECT_EQ(changes().show_file(staged("one"), shown("file")), 0);
  EXPECT_EQ(changes().show_file(staged("other"), shown("file")), EEXIST);
  EXPECT_EQ(content_of("root/file"), "one");
  EXPECT_FALSE(is_there("staging/one"));
  EXPECT_EQ(content_of("staging/other"), "other");
}

TEST_P(NameChangesTest, ANameThatIsTakenIsNotGiven) {
  fs::create_directories(top_.path() / "staging/folder");
  put("staging/file", "new");
  put("root/file", "old");
  fs::create_directories(top_.path() / "root/empty");
  fs::create_symlink("nowhere", top_.path() / "root/link");
  for (const char* from : {"file", "folder"}) {
    for (const char* to : {"file", "empty", "link"}) {
      EXPECT_EQ(changes().rename_to_free(staged(from), shown(to)), EEXIST) << from << ' ' << to;
    }
    EXPECT_TRUE(is_there(fs::path("staging") / from));
  }
  EXPECT_EQ(content_of("root/file"), "old");
}

TEST_P(NameChangesTest, WhatIsNotThereIsNotRenamed) {
  EXPECT_EQ(changes().rename_to_free(staged("none"), shown("free")), ENOENT);
  EXPECT_EQ(replace_errno("none", "none"), ENOENT);
}

TEST_P(NameChangesTest, AFileIsReplacedAndPutBack) {
  put("staging/new", "new");
  put("root/file", "older");
  const auto replaced = changes().replace(staged("new"), shown("file"));
  ASSERT_TRUE(replaced);
  EXPECT_EQ(replaced->status.stx_size, 5U);
  EXPECT_EQ(content_of("root/file"), "new");
  const bool can_keep = GetParam().allowed.exchange || GetParam().allowed.hard_links;
  ASSERT_EQ(!replaced->kept_name.empty(), can_keep);
  if (!can_keep) return;
  EXPECT_EQ(content_of("staging/" + replaced->kept_name), "older");
  const auto staged_again = changes().put_back(staged(replaced->kept_name.c_str()), shown("file"));
  ASSERT_TRUE(staged_again);
  EXPECT_EQ(content_of("root/file"), "older");
  EXPECT_EQ(content_of("staging/" + *staged_again), "new");
  EXPECT_EQ(replace_errno(staged_again->c_str(), "file"), 0);
  EXPECT_EQ(content_of("root/file"), "new");
}

TEST_P(NameChangesTest, AFileWhoseReplacementIsGoneIsPutBack) {
  put("staging/new", "new");
  put("root/file", "older");
  const auto replaced = changes().replace(staged("new"), shown("file"));
  ASSERT_TRUE(replaced);
  if (replaced->kept_name.empty()) return;
  fs::remove(top_.path() / "root/file");
  EXPECT_EQ(changes().put_back(staged(replaced->kept_name.c_str()), shown("file")), "");
  EXPECT_EQ(content_of("root/file"), "older");
  EXPECT_TRUE(fs::is_empty(top_.path() / "staging"));
}

TEST_P(NameChangesTest, AMissingFileIsNotReplaced) {
  put("staging/new", "new");
  EXPECT_EQ(replace_errno("new", "none"), ENOENT);
  EXPECT_EQ(content_of("staging/new"), "new");
  EXPECT_TRUE(fs::is_empty(top_.path() / "root"));
}

TEST_P(NameChangesTest, OnlyWhatGoesIntoItselfSaysSo) {
  fs::create_directories(top_.path() / "root/folder/below");
  const Handle below = open_top(top_.path() / "root/folder/below");
  const int error = changes().rename_to_free(shown("folder"), {below.get(), "x"});
  EXPECT_EQ(error, EINVAL);
  EXPECT_EQ(move_error(error, shown("folder"), {below.get(), "x"}), into_itself());
  const Error other = move_error(EINVAL, shown("folder"), shown("a:b"));
  EXPECT_EQ(other.code, ErrorCode::invalid);
  EXPECT_NE(other, into_itself());
}

INSTANTIATE_TEST_SUITE_P(Disks, NameChangesTest, kinds_of_disks(), &name_of_disk);

class DiskWithoutRename : public LocalFixture {
 protected:
  ~DiskWithoutRename() override { renames_fail = false; }
};

TEST_F(DiskWithoutRename, IsReadAndSaysWhyNothingCanBeChanged) {
  put("file", "content");
  close();
  renames_fail = true;
  Pool pool(2);
  const auto store = LocalStore::open({.data = top() / "other"}, pool).value();
  LocalOptions in_root = options();
  in_root.collects = Collects::in_root;
  const auto backend = LocalBackend::open(in_root, *store).value();
  EXPECT_EQ(download(*backend, path_of("file")).value(), "content");
  const auto refused = upload(*backend, path_of("new"), "new");
  ASSERT_EQ(code_of(refused), ErrorCode::forbidden);
  EXPECT_TRUE(refused.error().message.contains("cannot rename files"));
  renames_fail = false;
  EXPECT_TRUE(upload(*backend, path_of("new"), "new"));
}

class DiskWithoutTruncation : public LocalFixture {
 protected:
  ~DiskWithoutTruncation() override { truncations_fail = false; }
};

TEST_F(DiskWithoutTruncation, TakesCopiesThatEndWithNoHole) {
  truncations_fail = true;
  reopen();
  storage::WriteOptions options;
  options.may_have_holes = true;
  for (const std::string& content :
       {std::string(), std::string("content"), std::string(100'000, 'x')}) {
    auto writer = run(backend().create(path_of("copy"), options)).value();
    ASSERT_TRUE(run(writer->write(std::as_bytes(std::span(content)))));
    EXPECT_EQ(code_of(publish(backend(), writer)), std::nullopt);
    EXPECT_EQ(content_of("copy"), content);
  }
}

TEST(MoveError, TellsWhyAMoveFailed) {
  const ScratchFolder top;
  const Handle folder = open_top(top.path());
  const Handle elsewhere = open_top("/proc");
  const NameRef here{folder.get(), "a"};
  const NameRef there{elsewhere.get(), "a"};
  EXPECT_TRUE(move_error(EXDEV, here, there).message.contains("another disk"));
  EXPECT_FALSE(move_error(EXDEV, here, here).message.contains("another disk"));
  EXPECT_EQ(move_error(EXDEV, here, here).code, ErrorCode::forbidden);
  EXPECT_EQ(move_error(EBUSY, here, here).code, ErrorCode::forbidden);
  EXPECT_EQ(move_error(EEXIST, here, here).code, ErrorCode::exists);
  EXPECT_EQ(move_error(EMFILE, here, here).code, ErrorCode::overloaded);
}

}  // namespace
}  // namespace coffer::local
