#pragma once

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// `invalid` if an item of this name cannot be made in `folder`: names like a mount's are kept for
/// mounts at the root.
Result<void> check_new_name(const Namespace& ns, const ResolvedPath& folder, std::string_view name);

/// `invalid` if `folder` does not exist and one of the folders that are missing on the way to it
/// could not be made under its name.
Task<Result<void>> check_missing_folders(const ResolvedPath& folder);

}  // namespace coffer::core
