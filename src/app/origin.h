#pragma once

#include <string_view>

namespace coffer::app {

/// Returns true if the text is an Origin as browsers send it: scheme://host or scheme://host:port
/// in lower case, without a path and without the scheme's default port (RFC 6454, section 6.2).
bool is_origin(std::string_view text);

}  // namespace coffer::app
