#pragma once

#include <string_view>

#include "base/path.h"

namespace coffer::core {

/// "NAME (not moved 1f9c20d7)", which nothing has: for the source of a move while it is looked at
/// for the last time, and for good if it cannot get its name back. It shows, and counts, like any
/// other item. A long name is shortened, to fit also where names may have but 143 bytes.
Name name_not_moved(std::string_view name);

}  // namespace coffer::core
