#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "http/message.h"
#include "http/transport.h"

namespace coffer::http {

enum class Persistence : std::uint8_t { keep, keep_http_1_0, close, close_http_1_0 };

/// Appends the status line, the response's headers, the body's framing and Connection, but not the
/// connection's own lines and the blank line. Control characters in a header's value become spaces,
/// so that no value can begin another header.
void append_response_head(std::string& out, const Response& response, Persistence persistence);

/// `not_begun`: the content failed before a byte of the response was sent, so that another response
/// can be sent instead. `broken`: the connection cannot be used again.
struct Sent {
  enum class State : std::uint8_t { done, broken, not_begun } state = State::done;
  Error error;  ///< With `not_begun`, and if a stream failed later.
};

/// Sends `head` and the response's body, which must not be a stream. A small body is sent together
/// with the head in one call; a larger one by sendfile if there is a descriptor, else through two
/// buffers of 1 MiB, so that reading and sending overlap. If the content fails or ends early, the
/// body is cut off, never padded. `head` keeps its memory for the next response.
Task<Sent> send_response(Transport& transport, std::string& head, const Response& response);

/// The mark of a stream's end: the last chunk (RFC 9112, section 7.1), or, before HTTP/1.1, the end
/// of the connection.
enum class StreamFraming : std::uint8_t { chunks, connection };

/// Sends `head` and the stream, each piece before the next is requested. If the stream fails after
/// its first piece, the last chunk is left out, or the connection reset, so that the client notices
/// that the response is incomplete. `head` keeps its memory for the next response.
Task<Sent> send_stream(Transport& transport, std::string& head, Stream& stream,
                       StreamFraming framing);

}  // namespace coffer::http
