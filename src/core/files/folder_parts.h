#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/files/listing.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "storage/backend.h"

namespace coffer::core {

/// The items of a folder, read part by part in no order, for clients that need all of them and none
/// twice. Takes memory for one part only. Not safe for concurrent calls.
class FolderParts {
 public:
  /// `folder` is the path from the principal's root, `mounts` are those in the folder.
  FolderParts(ResolvedPath place, Path folder, std::unique_ptr<storage::FolderParts> parts,
              std::vector<Mount> mounts);

  /// Returns the next items, about `most`, or fewer; nullopt at the end. Fails as
  /// storage::FolderParts::next.
  Task<Result<std::optional<std::vector<ListedItem>>>> next(std::size_t most);

 private:
  const ResolvedPath place_;  ///< Keeps the backend, which must outlive `parts_`.
  const Path folder_;
  const std::unique_ptr<storage::FolderParts> parts_;
  std::vector<Mount> mounts_;  ///< Those that are still to be told.
};

}  // namespace coffer::core
