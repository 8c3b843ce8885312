#include "backends/local/file_restore.h"

#include <fcntl.h>

#include "backends/local/testing/local_fixture.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

/// A name that was free when the file was logged, as its removal had not reached the disk.
class FileRestoreTest : public LocalFixture {
 protected:
  FileRestoreTest() {
    put("file", "theirs");
    record_.inode = 1;  // Of no file that is there.
    record_.folder_inode = status_of(root_.get(), STATX_INO)->stx_ino;
    record_.modified = {1, 0};
    record_.path = "file";
    record_.content = std::as_bytes(std::span(std::string_view("logged")));
    record_.made = LogTime::now();
  }

  Result<void> try_to_restore(FileRestore::Folders folders = FileRestore::Folders::own) {
    const auto staging = Staging::open(top() / "restoring", true, reclaimer_).value();
    FileRestore restore(root_.get(), folders, [&]() -> Result<Staging*> { return staging.get(); });
    return restore.restore(record_, record_.path);
  }
  void restore_file() { EXPECT_TRUE(try_to_restore()); }
  std::string after_restoring() {
    restore_file();
    return content_of("file");
  }

  LogRecord record_;

 private:
  Reclaimer reclaimer_;
  const Handle root_{::open(root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
};

TEST_F(FileRestoreTest, TheLoggedFileWinsOverAnOlderItem) {
  record_.made.wall.tv_sec += 1;
  EXPECT_EQ(after_restoring(), "logged");
}

TEST_F(FileRestoreTest, TheLoggedFileWinsOverAnOlderLink) {
  fs::remove(root() / "file");
  fs::create_symlink("elsewhere", root() / "file");
  record_.made.wall.tv_sec += 1;
  EXPECT_EQ(after_restoring(), "logged");
  EXPECT_FALSE(fs::is_symlink(root() / "file"));
}

TEST_F(FileRestoreTest, AnItemThatIsNotOlderStays) {
  record_.made.wall.tv_sec -= 1;
  EXPECT_EQ(after_restoring(), "theirs");
}

TEST_F(FileRestoreTest, AnItemStaysWhereTheClockIsNotTrusted) {
  record_.made.wall = {};
  EXPECT_EQ(after_restoring(), "theirs");
}

TEST_F(FileRestoreTest, AnOlderItemThatCameWithItsFolderStaysAndTheFileWaits) {
  record_.made.wall.tv_sec += 1;
  record_.folder_inode += 1;
  EXPECT_EQ(code_of(try_to_restore()), ErrorCode::conflict);
  EXPECT_EQ(content_of("file"), "theirs");
}

TEST_F(FileRestoreTest, AFileGoesIntoNoOtherFolderThatTookThePlaceOfItsOwn) {
  fs::remove(root() / "file");
  record_.folder_inode += 1;
  EXPECT_EQ(code_of(try_to_restore()), ErrorCode::conflict);
  EXPECT_FALSE(fs::exists(root() / "file"));
}

TEST_F(FileRestoreTest, InACopyOfTheRootAFileGoesIntoTheFolderAtItsPath) {
  fs::remove(root() / "file");
  record_.folder_inode += 1;
  EXPECT_TRUE(try_to_restore(FileRestore::Folders::any));
  EXPECT_EQ(content_of("file"), "logged");
}

TEST_F(FileRestoreTest, AnOlderFolderStays) {
  fs::remove(root() / "file");
  fs::create_directory(root() / "file");
  record_.made.wall.tv_sec += 1;
  restore_file();
  EXPECT_TRUE(fs::is_directory(root() / "file"));
}

}  // namespace
}  // namespace coffer::local
