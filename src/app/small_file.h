#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::app {

/// All of a file that was named on the command line. `invalid`, with why, if it cannot be read, is
/// empty or has more than 64 KiB; `what` is what the message calls it.
Result<std::string> read_small_file(const std::string& file, std::string_view what);

}  // namespace coffer::app
