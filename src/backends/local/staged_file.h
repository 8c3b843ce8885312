#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "base/error.h"

namespace coffer::local {

/// A new file that is not published yet. It has no name if the file system allows that (O_TMPFILE),
/// which saves two changes of the staging folder and leaves nothing after a crash. Otherwise, or
/// after `name_it`, it has a name in the staging folder. Not safe for concurrent calls; all may
/// block.
class StagedFile {
 public:
  explicit StagedFile(Staging& staging) : staging_(staging) {}
  /// Deletes the file in the background if it was not published.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  /// Creates the file.
  Result<void> open();
  /// Uses an open file of the same file system, instead of calling `open`, and gives it another
  /// name. The caller keeps `descriptor`. Returns 0 or an errno. If the file is not published, only
  /// the new name is deleted.
  int adopt(int descriptor);
  bool is_open() const { return static_cast<bool>(file_); }
  int descriptor() const { return file_.get(); }
  /// Returns the inode number, by which the file differs from an item that takes its name later; 0
  /// if the number is not known.
  std::uint64_t inode() const;

  /// Writes the file's data to the disk before the file is published, so that no half-written file
  /// is visible after a crash. If `wholly`, also writes the metadata, which is necessary before the
  /// file replaces another file. Returns 0 or an errno.
  int write_out(bool wholly);
  bool is_wholly_written() const { return wholly_written_; }
  /// After the file was published: syncs what `write_out` left out. Returns 0 or an errno.
  int sync_shown();
  /// Returns true if `sync_shown` also wrote the file's directory entry to the disk.
  bool is_entry_synced() const { return entry_synced_; }

  /// Gives the file a name in the staging folder if it has none. Returns 0 or an errno.
  int name_it();
  /// Closes the descriptor. The file must have a name.
  void close();

  /// Publishes the file under `name`, which must be free in `folder`. Returns 0 or an errno.
  int show(int folder, const char* name);
  /// Exchanges the file atomically with the file `name` in `folder`. Returns 0 or an errno.
  int exchange(int folder, const char* name);
  /// Returns the name of the replaced file in the staging folder. Valid after `exchange`.
  const std::string& name() const { return name_; }
  /// Reverts `exchange` if `exchanged`, otherwise `show`. Returns 0 or an errno. A replaced file
  /// that cannot be restored stays in the staging folder, and its path is logged.
  int hide(int folder, const char* name, bool exchanged);
  /// Makes the publication final. If `exchanged`, deletes the replaced file in the background.
  void keep(bool exchanged);

 private:
  int put_back(int folder, const char* name);

  Staging& staging_;
  Handle file_;
  std::string name_;  ///< In the staging folder; empty without one.
  std::uint64_t inode_ = 0;
  bool wholly_written_ = false;
  bool is_synced_ = false;  ///< The file and its links have not changed since an fsync.
  bool is_linked_ = false;  ///< Published by linking, not by renaming.
  bool entry_synced_ = false;
  bool kept_ = false;
};

}  // namespace coffer::local
