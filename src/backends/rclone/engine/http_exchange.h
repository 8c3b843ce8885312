#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "async/task.h"
#include "backends/rclone/engine/rclone_instance.h"
#include "base/error.h"

namespace coffer::rclone {

/// One HTTP request to the engine (rclone process) and its response, on a connection of its own.
/// Calls must not overlap, but may come from different coroutines and executors. Calls fail with:
/// - kNeverReached (rclone_instance.h) if no engine listens at the port,
/// - kEngineLost (rclone_instance.h) if the connection ends before the response is complete,
/// - another `unavailable` error if connecting fails for another reason.
class HttpExchange {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  HttpExchange() = default;
  ~HttpExchange();
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  /// Connects, sends the request, and reads the head of the response.
  Task<Result<void>> begin(const RcloneInstance& run, Request request);
  unsigned status() const { return parser_.get().result_int(); }
  /// Reads some bytes of the body into `out`. Returns their number; 0 at the end of the body.
  Task<Result<std::size_t>> read_some(std::span<std::byte> out);
  /// Copies to `out` bytes of the body that have already arrived, and returns their number. Returns
  /// 0 in these cases, in which the caller must call `read_some` instead:
  /// - No bytes have arrived, or bytes that arrived with the response's head are not read yet.
  /// - The length of the body was not announced (Content-Length).
  /// - `out` has room for the rest of the body. Only `read_some` can report that it ended early.
  std::size_t read_now(std::span<std::byte> out);
  /// Returns the length of the body; nullopt if it was not announced.
  std::optional<std::uint64_t> body_bytes() const { return told_bytes_; }
  /// Must be called only if the response's status reports a failure. Reads the body, and converts
  /// rclone's error in it with error_of (drive_error.h).
  Task<Error> error();
  /// Returns the rest of the body, cut off after `limit_bytes`.
  Task<Result<std::string>> read_text(std::size_t limit_bytes);

 private:
  Task<Result<std::size_t>> read_raw(std::span<std::byte> out);
  Task<Result<std::size_t>> read_chunks(std::span<std::byte> out);

  int line_ = -1;  ///< The connection's descriptor between calls; -1 if there is none.
  boost::beast::flat_buffer buffer_;
  boost::beast::http::response_parser<boost::beast::http::buffer_body> parser_;
  std::optional<std::uint64_t> told_bytes_;  ///< The announced length of the body.
  std::uint64_t left_bytes_ = 0;  ///< The bytes still to be read, if the length was announced.
};

/// Returns a request for a file's content from `offset` on. `fs` is rclone's name of the remote,
/// and `place` is the file's path in the remote.
HttpExchange::Request content_request(std::string_view fs, std::string_view place,
                                      std::uint64_t offset);

}  // namespace coffer::rclone
