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

// LocalBackend reads with these functions. Functions without a comment have the contract of their
// counterpart in storage::Backend. All block, except those whose names end in `now`.

namespace coffer::local {

Result<storage::Entry> stat_item(const Lookup& lookup, const Path& path);
std::optional<storage::Entry> stat_item_now(const Lookup& lookup, const Path& path);
std::optional<storage::FolderStamp> stamp_of(const Lookup& lookup, const Path& folder);
/// Opens a file; see storage::Backend::open. The reader must not outlive the lookup's volume.
Result<std::unique_ptr<storage::Reader>> open_file(const Lookup& lookup, const Path& file);
/// Opens a file without blocking; see storage::Backend::open_now. The reader must not outlive the
/// lookup's volume.
std::unique_ptr<storage::Reader> open_file_now(const Lookup& lookup, const Path& file);
Result<storage::TreeSize> measure_item(const Lookup& lookup, const Path& path);
/// Returns the size of the tree in an open folder, including the folder itself. Does not follow
/// symbolic links. Does not count items that vanish meanwhile, or items with hidden names
/// (storage::is_hidden_name).
Result<storage::TreeSize> measure_tree(int folder);
Result<Path> canonical_path(const Lookup& lookup, const Path& path);

/// Lists a folder in parts. Blocks. The constructor's arguments must outlive this object.
class FolderReading {
 public:
  FolderReading(const Lookup& lookup, const Path& folder) : lookup_(lookup), folder_(folder) {}

  /// Reads up to `items` more items into `listing`, and asks the bound, if it is set, for their
  /// memory. Returns true at the end of the folder. Fails if the bound refuses.
  Result<bool> read(std::size_t items, const storage::ListingBound& bound);
  storage::FolderListing& listing() { return listing_; }

 private:
  Result<void> open();
  Result<bool> read_some(std::size_t items);
  void add(const FolderScan::Entry& item);

  const Lookup& lookup_;
  const Path& folder_;
  Handle handle_;
  std::string hidden_;
  std::optional<FolderScan> scan_;
  storage::FolderListing listing_;
};

}  // namespace coffer::local
