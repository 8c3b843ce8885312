#pragma once

#include <cstdint>
#include <string>

#include "async/task.h"
#include "http/body_sender.h"
#include "http/response.h"
#include "http/transport.h"

namespace coffer::http {

/// How the client knows where a stream ends: by its last chunk (RFC 9112, section 7.1), or, before
/// HTTP/1.1, by the end of the connection.
enum class StreamFraming : std::uint8_t { chunks, connection };

/// Sends `head` and the stream behind it, each piece before the next is asked for. What fails
/// behind the begin has no last chunk, or resets the connection, so that the client does not take
/// it for the whole. `head` is left with its memory for the next response.
Task<Sent> send_stream(Transport& transport, std::string& head, Stream& stream,
                       StreamFraming framing);

}  // namespace coffer::http
