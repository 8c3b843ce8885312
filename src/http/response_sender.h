#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "http/message.h"
#include "http/transport.h"

namespace coffer::http {

/// The persistence of the connection after a response, for a client of HTTP/1.1 or HTTP/1.0.
enum class Persistence : std::uint8_t { keep, keep_http_1_0, close, close_http_1_0 };

/// Appends the status line, the response's headers, Cache-Control if it is missing, the headers of
/// the body's framing, and the Connection header. Appends neither the header lines that class
/// Connection adds to every response nor the blank line. Control characters in a header's value
/// become spaces, so that no value can begin another header.
void append_response_head(std::string& out, const Response& response, Persistence persistence);

/// The result of sending a response. `not_begun`: the content failed before a byte was sent, so
/// another response can be sent instead. `broken`: the connection cannot be used again.
struct Sent {
  enum class State : std::uint8_t { done, broken, not_begun } state = State::done;
  Error error;  ///< Set for `not_begun`, and for `broken` if a stream failed.
};

/// Sends `head` and the response's body, which must not be a stream. Sends a body of at most 64 KiB
/// together with the head. Sends larger content with sendfile(2) if it has a descriptor, else
/// through two buffers of 1 MiB, so that reading and sending overlap. If the content fails or ends
/// early, the body is cut off, never padded. `head` keeps its capacity, for reuse.
Task<Sent> send_response(Transport& transport, std::string& head, const Response& response);

/// The mark of a stream's end: the last chunk (RFC 9112, section 7.1), or for HTTP/1.0 the close.
enum class StreamFraming : std::uint8_t { chunks, connection };

/// Sends `head` and the pieces of the stream. Requests a piece only after the one before was sent.
/// If the stream fails after its first piece, leaves out the last chunk or resets the connection,
/// so that the client sees that the response is incomplete. `head` keeps its capacity, for reuse.
Task<Sent> send_stream(Transport& transport, std::string& head, Stream& stream,
                       StreamFraming framing);

}  // namespace coffer::http
