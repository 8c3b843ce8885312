#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::local {

/// Where an open folder is now, as the kernel knows it (proc(5), /proc/self/fd).
Result<std::string> fd_path(int folder);

/// The path of a name in an open folder, without links. `failed` where it is too long to be known.
Result<std::string> entry_path(int folder, std::string_view name);

/// The path of a name in an open folder, without links, from the open folder `top` on. `not_found`
/// if the folder is not beneath it (any more).
Result<std::string> path_from(int top, int folder, std::string_view name);

}  // namespace coffer::local
