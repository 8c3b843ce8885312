#pragma once

#include <string>

#include "async/task.h"
#include "base/error.h"
#include "http/response.h"
#include "http/transport.h"

namespace coffer::http {

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

}  // namespace coffer::http
