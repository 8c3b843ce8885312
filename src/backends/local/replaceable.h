#pragma once

#include <optional>

#include "backends/local/lookup.h"
#include "backends/local/status.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/write_options.h"

namespace coffer::local {

/// `exists` if the name is a folder's, or taken by something that is neither file nor link; what
/// `check_taken` says of all else. A link to a folder counts as a folder, and one to a file is in
/// that file's state. Otherwise what a new file would replace, nothing if the name is free.
Result<std::optional<Status>> replaceable(const Lookup& lookup, int folder, const Path& target,
                                          const storage::WriteOptions& options);

}  // namespace coffer::local
