#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "async/task.h"
#include "backends/rclone/drive_items.h"
#include "backends/rclone/drive_remote.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::rclone {

/// The metadata that a caller needs. With `kind`, a folder may lack its modification time, because
/// rclone would have to list the folder's parent to find this time.
enum class Wanted : std::uint8_t { kind, kind_and_time };

/// Returns the item at `path`; `not_found` if there is none. For the backend's root, returns a
/// folder without a request, since listing the parent of the root may not be allowed.
Task<Result<DriveItem>> metadata_of(DriveRemote& remote, const Path& path,
                                    Wanted wanted = Wanted::kind_and_time);
/// Returns the item at `path`, or nullopt if there is none.
Task<Result<std::optional<DriveItem>>> find(DriveRemote& remote, const Path& path,
                                            Wanted wanted = Wanted::kind);

struct Listing {
  std::vector<DriveItem> items;  ///< The items whose names are valid in a Path.
  std::size_t left_out = 0;      ///< The number of items that are not in `items`.
};

/// Lists a folder; `refused` if it has too many items. Does not check that `folder` is a folder, so
/// the call may return an empty list if:
/// - `folder` is a file,
/// - `folder` is missing, and the provider stores only files.
/// `bound` is asked for the items' bytes as they come, unless it is null; if it refuses some, fails
/// as storage::listing_too_large.
Task<Result<Listing>> list_items(DriveRemote& remote, const Path& folder,
                                 const storage::ListingBound& bound = {});

}  // namespace coffer::rclone
