#include <fcntl.h>

#include <atomic>
#include <mutex>
#include <set>

#include "backends/local/status.h"
#include "backends/local/testing/crash_fixture.h"
#include "backends/local/testing/sync_calls.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// Names that show, but are not on the disk yet.
class UnsyncedNames : public Logged {
 protected:
  /// Does it once while the name `new` shows and is about to be brought to the disk.
  void meanwhile(std::function<void()> work) {
    work_ = std::move(work);
    has_worked_ = false;
  }
  bool has_worked() const { return has_worked_; }

  /// True if the file was brought to the disk by itself.
  bool is_synced(const fs::path& file) {
    const auto status = status_in(AT_FDCWD, (root() / file).c_str(), STATX_INO);
    const std::lock_guard lock(mutex_);
    return status && synced_.contains(status->stx_ino);
  }

 private:
  int sync(SyncCalls::Kind kind, int descriptor) {
    const auto status = status_of(descriptor, STATX_INO);
    if (!status || kind != SyncCalls::Kind::file) return 0;
    const bool is_root = status->stx_ino == root_inode_;
    if (is_root && work_ && fs::exists(root() / "new") && !has_worked_.exchange(true)) work_();
    const std::lock_guard lock(mutex_);
    synced_.insert(status->stx_ino);
    return 0;
  }

  const std::uint64_t root_inode_ = status_in(AT_FDCWD, root().c_str(), STATX_INO)->stx_ino;
  std::function<void()> work_;
  std::atomic<bool> has_worked_ = false;
  std::mutex mutex_;
  std::set<std::uint64_t> synced_;
  const SyncCalls calls_{[this](auto kind, int descriptor) { return sync(kind, descriptor); }};
};

TEST_F(UnsyncedNames, AFileInAFolderThatIsBeingMadeIsSyncedByItself) {
  meanwhile([&] {
    write("new/deep/file", "one");
    EXPECT_TRUE(is_synced("new/deep/file"));
  });
  make_folder("new/deep");
  EXPECT_TRUE(has_worked());
  write("new/deep/later", "two");
  EXPECT_FALSE(is_synced("new/deep/later"));
}

TEST_F(UnsyncedNames, AFileInAFolderThatIsBeingRenamedIsSyncedByItself) {
  make_folder("old");
  meanwhile([&] {
    write("new/file", "one");
    EXPECT_TRUE(is_synced("new/file"));
  });
  rename("old", "new");
  EXPECT_TRUE(has_worked());
  write("new/later", "two");
  EXPECT_FALSE(is_synced("new/later"));
}

TEST_F(UnsyncedNames, AFileUnderANameThatIsBeingLeftIsSyncedByItself) {
  write("old", "one");
  meanwhile([&] {
    write("old", "two");
    EXPECT_TRUE(is_synced("old"));
  });
  rename("old", "new");
  EXPECT_TRUE(has_worked());
  EXPECT_EQ(content_of("new"), "one");
}

TEST_F(UnsyncedNames, AFileInAFolderThatIsBeingCopiedIsSyncedByItself) {
  make_folder("old");
  meanwhile([&] {
    write("new/file", "one");
    EXPECT_TRUE(is_synced("new/file"));
  });
  const Path from = path_of("old");
  const Path to = path_of("new");
  ASSERT_TRUE(run(backend().copy(from, to, {})));
  EXPECT_TRUE(has_worked());
  write("new/later", "two");
  EXPECT_FALSE(is_synced("new/later"));
}

}  // namespace
}  // namespace coffer::local
