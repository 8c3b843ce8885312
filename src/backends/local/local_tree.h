#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/local/folder_scan.h"
#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "storage/backend.h"

namespace coffer::local {

/// What the local backend does, for a caller that may block; see storage::Backend for the contract
/// of each function.
Result<storage::Entry> stat_item(const Lookup& lookup, const Path& path);
/// Of file systems whose folders have a time of change that the kernel of this machine keeps, and
/// that it tells all changes of: not so those of other machines and of programs.
bool keeps_times(int folder);
std::optional<storage::FolderStamp> stamp_of(const Lookup& lookup, const Path& folder);
Result<bool> lists_all_of(const Lookup& lookup, const Path& folder);
Result<std::unique_ptr<storage::Reader>> open_file(const Lookup& lookup, const Path& file);
Result<void> make_folders(const Lookup& lookup, const Path& folder);
Result<void> rename_item(const Lookup& lookup, const Path& from, const Path& to);
Result<storage::TreeSize> measure_item(const Lookup& lookup, const Path& path);
Result<Path> canonical_path(const Lookup& lookup, const Path& path);

/// storage::Backend::remove in its two steps, which block. The arguments outlive it.
class ItemRemoval {
 public:
  ItemRemoval(const Lookup& lookup, const Path& path) : lookup_(lookup), path_(path) {}

  /// From then on it is not there.
  Result<void> take_away();
  bool is_folder() const { return !staged_name_.empty(); }
  /// Makes sure that it stays away, after a folder was measured, which takes long; where that
  /// fails, the folder is back.
  Result<storage::Removed> settle();

 private:
  Result<storage::TreeSize> measure();

  const Lookup& lookup_;
  const Path& path_;
  EntryRef place_;
  Handle item_;
  std::string staged_name_;  ///< Of a folder.
  storage::TreeSize size_;   ///< Of a file.
};

/// A listing that can be made in parts. Blocks.
class FolderListing {
 public:
  FolderListing(const Lookup& lookup, const Path& folder) : lookup_(lookup), folder_(folder) {}

  /// Looks at up to so many items; true if there are no more.
  Result<bool> read(std::size_t items);
  std::vector<storage::Entry>& entries() { return entries_; }

 private:
  Result<void> open();
  void add(const FolderScan::Entry& item);

  const Lookup& lookup_;
  const Path& folder_;
  Handle handle_;
  std::string hidden_;
  std::optional<FolderScan> scan_;
  std::vector<storage::Entry> entries_;
};

/// Makes changes of the folder safe from a crash, if the volume promises that.
Result<void> sync_if_durable(const Lookup& lookup, const Handle& folder);

}  // namespace coffer::local
