#pragma once

#include <string_view>

namespace coffer::app {

/// True if browsers send such an Origin: scheme://host or scheme://host:port, in lower case,
/// without a path and without the port that the scheme has anyway (RFC 6454, section 6.1).
bool is_origin(std::string_view text);

}  // namespace coffer::app
