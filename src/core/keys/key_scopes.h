#pragma once

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// The place as key scopes are shown: from the account's root, by a path without links. It need not
/// exist.
Task<Result<Path>> scope_of(const ResolvedPath& place);

}  // namespace coffer::core
