#pragma once

#include <string>

#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "storage/backend.h"

// LocalBackend uses these functions for make_folder, rename and remove; see storage::Backend. All
// functions block. The caller of rename_item must call `may_show` first.

namespace coffer::local {

Result<void> make_folders(const Lookup& lookup, const Path& folder);
/// Returns true if a rename might bring folders deeper than storage::kDeepestFolder, so that
/// `check_height` must be called before it. `invalid` if it would for certain.
Result<bool> may_become_too_deep(const Lookup& lookup, const Path& from, const Path& to);
/// `invalid` if a rename would bring folders deeper than storage::kDeepestFolder. Reads all folders
/// in the item, which may take long.
Result<void> check_height(const Lookup& lookup, const Path& from, const Path& to);
Result<void> rename_item(const Lookup& lookup, const Path& from, const Path& to);
/// Syncs the folder to the disk if Volume::durable is true.
Result<void> sync_if_durable(const Lookup& lookup, const Handle& folder);

/// Removes an item in two steps: first call `take_away`, which is short, then `finish`, which may
/// take long. The constructor's arguments must outlive this object.
class ItemRemoval {
 public:
  ItemRemoval(const Lookup& lookup, const Path& path) : lookup_(lookup), path_(path) {}

  /// Removes the item from the tree: deletes a file or link, moves a folder to the staging folder.
  /// `disk_full` for a folder if there is no room for a staging folder.
  Result<void> take_away();
  /// Returns true if the removed item is a folder. Valid after `take_away`.
  bool is_folder() const { return !staged_name_.empty(); }
  /// Measures a removed folder, which may take long. If the folder cannot be measured, moves it
  /// back, or keeps it if its name is taken (Staging::save), and fails. Otherwise deletes it in the
  /// background, syncs the removal and returns the item's size. A failed sync is reported in
  /// Removed::unsafe.
  Result<storage::Removed> finish();

 private:
  Result<void> take_folder_away();
  Result<storage::TreeSize> measure();

  const Lookup& lookup_;
  const Path& path_;
  EntryRef place_;
  Handle item_;
  std::string staged_name_;  ///< The name of a removed folder in the staging folder.
  storage::TreeSize size_;   ///< The size of a removed file.
};

}  // namespace coffer::local
