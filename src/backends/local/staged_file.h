#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "backends/local/status.h"
#include "base/error.h"

namespace coffer::local {

/// A new file that is not published yet. If the file system allows it, the file has no name
/// (O_TMPFILE). This saves two changes of the staging folder and leaves nothing after a crash.
/// Otherwise, or after `name_it`, the file has a name in the staging folder. In both cases it is
/// made in the folder where it will stand, and so has the group, permissions and access control
/// list of files there. Not safe for concurrent calls. All calls may block.
class StagedFile {
 public:
  explicit StagedFile(Staging& staging) : staging_(staging) {}
  /// Deletes the file in the background if it was not published.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  /// Makes the file. `folder` is where it will stand; it must be on the file system of the staging
  /// folder. If it has the name `name` already, the new file is private (`is_private`): it gets
  /// what the other one has only later (take_after), and nobody else may read it before.
  Result<void> open(int folder, const std::string& name);
  /// True for a file that has less than a file made in its folder.
  bool is_private() const { return is_private_; }
  /// Gives a private file what a file made in `folder` has.
  void open_up(int folder);
  /// Called after a private file was given what it should have.
  void end_private() { is_private_ = false; }
  /// Called instead of `open`, to use an open file on the same file system. Makes a hard link to it
  /// in the staging folder, and gives it what a file made in `folder` has. The caller still owns
  /// `descriptor`. Returns 0 or an errno. If the file is not published, only the new link is
  /// deleted.
  int adopt(int descriptor, int folder);
  bool is_open() const { return static_cast<bool>(file_); }
  int descriptor() const { return file_.get(); }
  /// Returns the status of the file, which is not published yet, or an errno; see kEntryMask.
  std::expected<Status, int> status() const;
  /// Returns the file's number; inode 0 if it is not known. It distinguishes the file from an item
  /// that takes the file's name later.
  ItemNumber number() const;

  /// Writes the file's data to the disk. Called before the file is published, so that no
  /// half-written file is visible after a crash. If `wholly`, also writes the metadata, which is
  /// necessary before the file replaces another file. Returns 0 or an errno.
  int write_out(bool wholly);
  bool is_wholly_written() const { return wholly_written_; }
  /// Called after the file was published. Syncs what `write_out` left out. Returns 0 or an errno.
  int sync_shown();
  /// Returns true if `sync_shown` also wrote the file's directory entry to the disk.
  bool is_entry_synced() const { return entry_synced_; }

  /// Gives the file a name in the staging folder if it has none. Returns 0 or an errno.
  int name_it();
  /// Closes the descriptor. The file must have a name.
  void close();

  /// Publishes the file under `name`, which must be free in `folder`. Returns 0 or an errno.
  int show(int folder, const char* name);
  /// Replaces the file `name` in `folder` atomically. Returns the replaced file's status, or an
  /// errno. For `may_replace` see NameChanges::replace.
  std::expected<Status, int> replace(int folder, const char* name,
                                     const NameChanges::MayReplace& may_replace);
  /// Reverts `replace` if `replaced` is true, otherwise reverts `show`. Returns 0 or an errno. If
  /// the replaced file cannot be restored, it stays in the staging folder and its path is logged.
  /// If the file system did not let it be kept, nothing is reverted (EOPNOTSUPP).
  int hide(int folder, const char* name, bool replaced);
  /// Makes the publication final. If `replaced`, deletes the replaced file in the background.
  void keep(bool replaced);

 private:
  int put_back(int folder, const char* name);
  bool suits(int file, int folder) const;
  int make(int folder, const std::string& name);

  Staging& staging_;
  Handle file_;
  std::string name_;  ///< The name in the staging folder; empty if there is none.
  ItemNumber number_;
  bool wholly_written_ = false;
  bool is_synced_ = false;  ///< The file and its hard links have not changed since an fsync.
  bool is_linked_ = false;  ///< Published by a hard link, not by renaming.
  bool entry_synced_ = false;
  bool kept_ = false;
  bool is_private_ = false;
};

}  // namespace coffer::local
