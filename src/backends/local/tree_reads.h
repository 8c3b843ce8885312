#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/local/folder_scan.h"
#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "storage/backend.h"

// How the local backend reads; see storage::Backend for the contract of each function. All but
// those whose names end in `now` block.

namespace coffer::local {

Result<storage::Entry> stat_item(const Lookup& lookup, const Path& path);
std::optional<storage::Entry> stat_item_now(const Lookup& lookup, const Path& path);
std::optional<storage::FolderStamp> stamp_of(const Lookup& lookup, const Path& folder);
Result<bool> lists_all_of(const Lookup& lookup, const Path& folder);
/// The readers must not outlive the lookup's volume.
Result<std::unique_ptr<storage::Reader>> open_file(const Lookup& lookup, const Path& file);
std::unique_ptr<storage::Reader> open_file_now(const Lookup& lookup, const Path& file);
Result<storage::TreeSize> measure_item(const Lookup& lookup, const Path& path);
/// The size of the tree in an open folder, the folder itself included, without following links.
/// Items that vanish meanwhile do not count, nor does an item named `hidden` directly in it.
Result<storage::TreeSize> measure_tree(int folder, const std::string& hidden = {});
Result<Path> canonical_path(const Lookup& lookup, const Path& path);

/// A listing that is read in parts. Blocks.
class FolderListing {
 public:
  FolderListing(const Lookup& lookup, const Path& folder) : lookup_(lookup), folder_(folder) {}

  /// Reads up to so many items; true if there are no more.
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

}  // namespace coffer::local
