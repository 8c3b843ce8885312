#pragma once

#include <cstdint>
#include <string>

#include "http/message.h"

namespace coffer::http {

/// Tells if the connection stays open after a response. `*_http_1_0`: the client uses HTTP/1.0.
enum class Persistence : std::uint8_t { keep, keep_http_1_0, close, close_http_1_0 };

/// Appends the status line and the response's headers. Adds Content-Length or Transfer-Encoding,
/// and Connection if needed. The caller must append its own header lines, then the blank line.
void append_response_head(std::string& out, const Response& response, Persistence persistence);

/// Appends the response's headers, each as a line that ends in CR LF, and `Cache-Control: private,
/// no-cache` if it has no Cache-Control. Control characters in a header's value become spaces, so
/// that no value can begin another header.
void append_header_lines(std::string& out, const Response& response);

/// Appends Content-Length, unless the response is a stream or its status has no body. Returns true
/// if the response is a stream.
bool append_content_length(std::string& out, const Response& response);

}  // namespace coffer::http
