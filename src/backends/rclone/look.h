#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "async/task.h"
#include "backends/rclone/item.h"
#include "backends/rclone/remote.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/entry.h"

namespace coffer::rclone {

/// The item; `not_found` if there is none. The remote's own root is there without asking: listing
/// what is above it may not be allowed.
Task<Result<Item>> look(Remote& remote, const Path& path);
/// The same, but nothing if there is none.
Task<Result<std::optional<Item>>> find(Remote& remote, const Path& path);
/// `exists` if there is anything; what is above must be a folder.
Task<Result<void>> need_free_name(Remote& remote, const Path& path);
/// `invalid` if it is a file, `not_found` if there is none.
Task<Result<void>> need_folder(Remote& remote, const Path& folder);

/// What is directly in the folder and has a sane name. `invalid` for a file.
Task<Result<std::vector<Item>>> list_items(Remote& remote, const Path& folder);
/// As storage::Backend::list: without what is hidden, of which old partial items are removed.
Task<Result<std::vector<storage::Entry>>> list_folder(Remote& remote, const Path& folder);

/// A tree, added up from one listing of all that is in it.
struct TreeLook {
  storage::TreeSize size;
  bool is_plain = true;  ///< All of it can be listed, and has a size.
};
/// Hidden names below the path do not count. `unavailable` when this program ends meanwhile.
Task<Result<TreeLook>> look_through(Remote& remote, const Path& path);

Error no_such_item();
Error name_taken();

}  // namespace coffer::rclone
