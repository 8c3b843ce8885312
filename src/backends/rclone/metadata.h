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

/// The time of a folder costs a listing of the folder that it is in.
enum class Wanted : std::uint8_t { kind, kind_and_time };

/// The item; `not_found` if there is none. The remote's own root is there without asking: listing
/// what is above it may not be allowed.
Task<Result<DriveItem>> metadata_of(DriveRemote& remote, const Path& path,
                                    Wanted wanted = Wanted::kind_and_time);
/// The same, but nothing if there is none, and perhaps without the time of a folder.
Task<Result<std::optional<DriveItem>>> find(DriveRemote& remote, const Path& path,
                                            Wanted wanted = Wanted::kind);

struct Listing {
  std::vector<DriveItem> items;  ///< All that has a name that a Path can hold.
  bool is_whole = true;          ///< False where something is left out.
};

/// Lists a folder; `refused` if it has too many items. Does not look at the folder itself: a file,
/// or a folder that a provider without folders does not know, may look empty.
Task<Result<Listing>> list_items(DriveRemote& remote, const Path& folder);

}  // namespace coffer::rclone
