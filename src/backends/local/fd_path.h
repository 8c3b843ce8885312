#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::local {

/// Where an open folder is now, as the kernel knows it (proc(5), /proc/self/fd).
Result<std::string> fd_path(int folder);

/// The path of a name in an open folder, without links, from the open folder `top` on. `not_found`
/// if the folder is not beneath it (any more).
Result<std::string> path_from(int top, int folder, std::string_view name);

/// True if `path` is `top` or beneath it.
bool is_at_or_beneath(std::string_view path, std::string_view top);

}  // namespace coffer::local
