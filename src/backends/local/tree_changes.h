#pragma once

#include <string>

#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "storage/backend.h"

// LocalBackend changes names with these functions. make_folders and rename_item have the contracts
// of make_folder and rename in storage::Backend. All functions block.

namespace coffer::local {

Result<void> make_folders(const Lookup& lookup, const Path& folder);
Result<void> rename_item(const Lookup& lookup, const Path& from, const Path& to);
/// Syncs the folder if the volume is durable.
Result<void> sync_if_durable(const Lookup& lookup, const Handle& folder);

/// Removes an item as storage::Backend::remove does, in two steps: `take_away`, then `finish`. Both
/// block. The constructor's arguments must outlive this object.
class ItemRemoval {
 public:
  ItemRemoval(const Lookup& lookup, const Path& path) : lookup_(lookup), path_(path) {}

  /// Removes the item from the tree: deletes a file or link, moves a folder to the staging folder.
  Result<void> take_away();
  /// Returns true if the removed item is a folder. Valid after `take_away`.
  bool is_folder() const { return !staged_name_.empty(); }
  /// First measures a removed folder, which may take long. If this fails, moves the folder back and
  /// fails. Otherwise syncs the removal, deletes the folder in the background and returns the size.
  /// If the sync fails, sets Removed::unsafe.
  Result<storage::Removed> finish();

 private:
  Result<storage::TreeSize> measure();

  const Lookup& lookup_;
  const Path& path_;
  EntryRef place_;
  Handle item_;
  std::string staged_name_;  ///< The name of a removed folder in the staging folder.
  storage::TreeSize size_;   ///< The size of a removed file.
};

}  // namespace coffer::local
