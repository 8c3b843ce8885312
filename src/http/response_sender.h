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

/// Appends the status line and the headers that the response names, the body's framing and
/// Connection; neither the connection's own lines nor the blank line. Control characters in a
/// header's value become spaces, so that no value can begin a header of its own.
void append_response_head(std::string& out, const Response& response, Persistence persistence);

/// `not_begun`: the content failed before a byte of the response had gone out, so that another
/// response can be sent in its stead. `broken`: the connection is of no more use.
struct Sent {
  enum class State : std::uint8_t { done, broken, not_begun } state = State::done;
  Error error;  ///< With `not_begun`, and where a stream failed behind its begin.
};

/// Sends `head` and the response's body, which is no stream, behind it. A small body goes out
/// together with the head in one call; a larger one by sendfile where there is a descriptor, else
/// through two buffers of 1 MiB, so that reading and sending overlap. A content that fails or ends
/// early never makes a padded or mixed body. `head` is left with its memory for the next response.
Task<Sent> send_response(Transport& transport, std::string& head, const Response& response);

/// The mark of a stream's end: the last chunk (RFC 9112, section 7.1), or, before HTTP/1.1, the end
/// of the connection.
enum class StreamFraming : std::uint8_t { chunks, connection };

/// Sends `head` and the stream behind it, each piece before the next is asked for. What fails
/// behind the begin has no last chunk, or resets the connection, so that the client does not take
/// it for the whole. `head` is left with its memory for the next response.
Task<Sent> send_stream(Transport& transport, std::string& head, Stream& stream,
                       StreamFraming framing);

}  // namespace coffer::http
