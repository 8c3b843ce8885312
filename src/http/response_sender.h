#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "http/message.h"
#include "http/transport.h"

namespace coffer::http {

/// Tells if the connection stays open after a response. `*_http_1_0`: the client uses HTTP/1.0.
enum class Persistence : std::uint8_t { keep, keep_http_1_0, close, close_http_1_0 };

/// Appends the status line and the response's headers. Adds Content-Length or Transfer-Encoding,
/// Connection if needed, and `Cache-Control: private, no-cache` if the response has no
/// Cache-Control. The caller must append its own header lines, then the blank line. Control
/// characters in a header's value become spaces, so that no value can begin another header.
void append_response_head(std::string& out, const Response& response, Persistence persistence);

/// The result of sending a response. `not_begun`: the content or stream failed before a byte was
/// sent, so another response can be sent. `broken`: the connection cannot be used again.
struct Sent {
  enum class State : std::uint8_t { done, broken, not_begun } state = State::done;
  Error error;  ///< Set for `not_begun`. Set for `broken` only if a stream failed.
};

/// Sends `head` and the response's body, which must not be a stream. Sends a body of at most 64 KiB
/// together with the head. Sends larger content by sendfile(2) if it has a descriptor, else through
/// two buffers of 1 MiB, so that reading and sending overlap. If the content fails or ends early
/// while it is sent, the body is cut off. Changes `head`, whose memory can then be reused.
Task<Sent> send_response(Transport& transport, std::string& head, const Response& response);

/// The way in which the client recognizes a stream's end: by the last chunk (RFC 9112, section
/// 7.1), or by the end of the connection in HTTP/1.0, which has no chunks.
enum class StreamFraming : std::uint8_t { chunks, connection };

/// Sends `head` and the pieces of the stream. Requests each piece after the previous one was sent.
/// If the stream fails after its first piece, leaves out the last chunk or resets the connection,
/// so that the client sees that the response is incomplete. Changes `head` as `send_response` does.
Task<Sent> send_stream(Transport& transport, std::string& head, Stream& stream,
                       StreamFraming framing);

}  // namespace coffer::http
