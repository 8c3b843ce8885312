#pragma once

#include <string_view>

#include "http/request.h"

namespace coffer::http {

/// Splits a request's target (RFC 9112, section 3.2) into path and query. Origin and absolute form
/// (whose authority must be valid and is then ignored), and `*` for OPTIONS. False for anything
/// else, for a fragment and for characters outside visible ASCII.
bool read_target(std::string_view target, Request& request);

/// `uri-host [":" port]` of RFC 9110, section 7.2, not empty.
bool is_host(std::string_view text);

}  // namespace coffer::http
