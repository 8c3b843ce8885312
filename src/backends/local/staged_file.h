#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "base/error.h"

namespace coffer::local {

/// A new file that is not shown yet. Where the file system can, it has no name at all (O_TMPFILE),
/// which saves changing the staging folder twice and leaves nothing after a crash; elsewhere, and
/// where it must, it has one in the staging folder. Not safe for concurrent calls; all may block.
class StagedFile {
 public:
  explicit StagedFile(Staging& staging) : staging_(staging) {}
  /// What was not shown is reclaimed behind.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  Result<void> open();
  /// Instead: another name of a file that is open already, of the same disk; the errno, or 0. What
  /// is not shown loses that name again, and nothing else.
  int adopt(int descriptor);
  bool is_open() const { return static_cast<bool>(file_); }
  int descriptor() const { return file_.get(); }
  /// Tells it from whatever else may take its place later; 0 if that cannot be known.
  std::uint64_t inode() const;

  /// Before it is shown: its data is on the disk, so that a crash never shows half a file; the
  /// errno, or 0. `wholly`: and so is all else about it, which taking another's place needs.
  int write_out(bool wholly);
  bool is_wholly_written() const { return wholly_written_; }
  /// After it was shown: the file itself is on the disk; the errno, or 0.
  int sync_shown();
  /// That took its entry in the folder along.
  bool is_entry_synced() const { return entry_synced_; }

  /// Gives it a name in the staging folder if it has none; the errno, or 0.
  int name_it();
  /// Frees the descriptor; only once it has a name.
  void close();

  /// Gives it this place, which must be free; the errno, or 0.
  int show(int folder, const char* name);
  /// Changes places with the file that is there.
  int exchange(int folder, const char* name);
  /// After `exchange`: what lies in the staging folder now, under this name.
  const std::string& name() const { return name_; }
  /// Undoes `show` or `exchange`; the errno, or 0. What was replaced is never lost: where it cannot
  /// be put back, it stays in the staging folder, and the log says where.
  int hide(int folder, const char* name, bool exchanged);
  /// It stays where it was shown, and what it replaced is reclaimed.
  void keep(bool exchanged);

 private:
  int put_back(int folder, const char* name);

  Staging& staging_;
  Handle file_;
  std::string name_;  ///< In the staging folder; empty without one.
  std::uint64_t inode_ = 0;
  bool wholly_written_ = false;
  bool is_synced_ = false;  ///< Nothing changed since, its links included.
  bool is_linked_ = false;  ///< Shown by a link, not by renaming.
  bool entry_synced_ = false;
  bool kept_ = false;
};

}  // namespace coffer::local
