#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/response.h"

namespace coffer::http {

enum class Persistence : std::uint8_t { keep, keep_http_1_0, close, close_http_1_0 };

/// Appends the status line and the headers that the response names, the body's framing and
/// Connection; neither the connection's own lines nor the blank line. Control characters in a
/// header's value become spaces, so that no value can begin a header of its own.
void append_response_head(std::string& out, const Response& response, Persistence persistence);

}  // namespace coffer::http
