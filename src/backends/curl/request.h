#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::curl {

/// One HTTP request whose response fits into memory: to a token endpoint, say, or for a document.
struct Request {
  std::string url;                        ///< http:// or https://.
  std::optional<FormFields> form = {};    ///< Sent by POST; if absent, the method is GET.
  std::vector<std::string> headers = {};  ///< Whole lines, such as `Accept: text/plain`.
  std::string server = "server";          ///< A name of the server, for the error messages.
  std::size_t limit_bytes = 64UL * 1024;  ///< Of the response, with its headers.
  storage::MayConnect may_connect = {};
  std::string ca_file = {};  ///< A PEM file of trusted certificates; if empty, the system's.
  /// Only `connect` (for connecting), `reply` (for the whole request) and `ending` are used.
  storage::Deadlines deadlines = {};
};

struct Answer {
  long status = 0;
  std::string body;
};

/// Sends a request, without a proxy, by HTTP/1.1, and returns the response, even if its status
/// reports an error. Accepts JSON, follows no redirect. Blocks. Safe from any thread.
///
/// No error message contains what was sent or received. The errors are:
/// - `unavailable` if the server cannot be reached, its certificate is not trusted, its address is
///   not allowed, the connection breaks, or the response exceeds the limit
/// - `timed_out` if the response does not arrive in time
/// - `failed` if the file of certificates cannot be read
/// - storage::fail_ending if the program shuts down
/// - the error of lack_of (base/error.h) if this machine has no free descriptors
Result<Answer> send(const Request& request);

}  // namespace coffer::curl
