#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "base/error.h"

namespace coffer::local {

/// A new file that is not shown yet. If the file system can, it has no name (O_TMPFILE), which
/// saves two changes of the staging folder and leaves nothing after a crash; otherwise, and if it
/// must, it has one in the staging folder. Not safe for concurrent calls; all may block.
class StagedFile {
 public:
  explicit StagedFile(Staging& staging) : staging_(staging) {}
  /// A file that was not shown is reclaimed in the background.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  Result<void> open();
  /// Instead of `open`: gives an open file of the same disk another name; the errno, or 0. If it is
  /// not shown, it loses only that name.
  int adopt(int descriptor);
  bool is_open() const { return static_cast<bool>(file_); }
  int descriptor() const { return file_.get(); }
  /// Distinguishes it from an item that takes its name later; 0 if it is not known.
  std::uint64_t inode() const;

  /// Before it is shown: brings its data to the disk, so that a crash never shows half a file; the
  /// errno, or 0. `wholly`: also its metadata, before it replaces another file.
  int write_out(bool wholly);
  bool is_wholly_written() const { return wholly_written_; }
  /// After it was shown: brings the rest of the file to the disk; the errno, or 0.
  int sync_shown();
  /// True if that also brought its entry in the folder to the disk.
  bool is_entry_synced() const { return entry_synced_; }

  /// Gives it a name in the staging folder if it has none; the errno, or 0.
  int name_it();
  /// Frees the descriptor; only once it has a name.
  void close();

  /// Gives it this name, which must be free; the errno, or 0.
  int show(int folder, const char* name);
  /// Changes places with the file that is there.
  int exchange(int folder, const char* name);
  /// After `exchange`: the name of the replaced file in the staging folder.
  const std::string& name() const { return name_; }
  /// Undoes `show` or `exchange`; the errno, or 0. The replaced file is never lost: if it cannot be
  /// put back, it stays in the staging folder, and its path is logged.
  int hide(int folder, const char* name, bool exchanged);
  /// Ends it: the file stays where it was shown, and the replaced one is reclaimed.
  void keep(bool exchanged);

 private:
  int put_back(int folder, const char* name);

  Staging& staging_;
  Handle file_;
  std::string name_;  ///< In the staging folder; empty without one.
  std::uint64_t inode_ = 0;
  bool wholly_written_ = false;
  bool is_synced_ = false;  ///< The file and its links have not changed since an fsync.
  bool is_linked_ = false;  ///< Shown by a link, not by renaming.
  bool entry_synced_ = false;
  bool kept_ = false;
};

}  // namespace coffer::local
