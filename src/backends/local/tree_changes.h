#pragma once

#include <string>

#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "storage/backend.h"

// How the local backend changes names; see storage::Backend for the contract of each function. All
// block.

namespace coffer::local {

Result<void> make_folders(const Lookup& lookup, const Path& folder);
Result<void> rename_item(const Lookup& lookup, const Path& from, const Path& to);
/// Syncs the folder if the volume is durable.
Result<void> sync_if_durable(const Lookup& lookup, const Handle& folder);

/// The two steps of storage::Backend::remove, which block. The arguments must outlive it.
class ItemRemoval {
 public:
  ItemRemoval(const Lookup& lookup, const Path& path) : lookup_(lookup), path_(path) {}

  /// Removes the item from the tree.
  Result<void> take_away();
  bool is_folder() const { return !staged_name_.empty(); }
  /// Measures a removed folder, which may take long, and syncs the removal. If measuring fails, the
  /// folder is put back.
  Result<storage::Removed> finish();

 private:
  Result<storage::TreeSize> measure();

  const Lookup& lookup_;
  const Path& path_;
  EntryRef place_;
  Handle item_;
  std::string staged_name_;  ///< Of a folder.
  storage::TreeSize size_;   ///< Of a file.
};

}  // namespace coffer::local
