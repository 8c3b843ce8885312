#pragma once

#include <optional>

#include "async/task.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "storage/entry.h"

namespace coffer::core {

/// An item as its principal sees it.
struct ListedItem {
  storage::Entry entry;
  Path folder;  ///< Where it is, from the principal's root; the root itself is in the root.
  bool read_only = false;
  std::optional<Mount> mount;  ///< If the item is the top of one.
};

ListedItem item_of(storage::Entry entry, const Path& folder, const ResolvedPath& place);

/// A mount in the root, as the catalog knows it: nothing here waits for a server.
ListedItem item_of(Mount mount);

/// The item at the place, at once where that is possible.
Task<Result<storage::Entry>> stat(const ResolvedPath& place);

}  // namespace coffer::core
