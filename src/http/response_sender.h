#pragma once

#include <cstdint>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "http/message.h"
#include "http/response_writer.h"

namespace coffer::http {

/// The result of sending a response. `not_begun`: the content or stream failed before a byte was
/// sent, so another response can be sent. `broken`: the connection cannot be used again.
struct Sent {
  enum class State : std::uint8_t { done, broken, not_begun } state = State::done;
  Error error;  ///< Set for `not_begun`. Set for `broken` only if a stream failed.
};

/// Sends `head` and the response's body, which must not be a stream. Sends a body of at most 16 KiB
/// together with the head. Sends larger content by sendfile(2) if it has a descriptor, else from
/// memory (Content::view) or through two buffers, so that reading and sending overlap. If the
/// content fails or ends early while it is sent, the body is cut off. Changes `head`, whose memory
/// can then be reused.
Task<Sent> send_response(ResponseWriter& writer, std::string& head, const Response& response);

/// Sends `head` and the pieces of the stream. Requests each piece after the previous one was sent.
/// If the stream fails after its first piece, leaves out the last chunk or resets the connection,
/// so that the client sees that the response is incomplete. Changes `head` as `send_response` does.
Task<Sent> send_stream(ResponseWriter& writer, std::string& head, Stream& stream);

}  // namespace coffer::http
