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
#include "backends/rclone/engine/http_exchange.h"
#include "backends/rclone/engine/rclone_instance.h"
#include "base/error.h"

namespace coffer::rclone {

/// One HTTP request to the engine and its answer, on a connection of its own (RFC 9112). Used by
/// one coroutine at a time, which may be another, on another executor, at each call. Fails with
/// kEngineLost or kNeverReached of rclone_instance.h.
class HttpExchange {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  HttpExchange() = default;
  ~HttpExchange();
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  /// Connects, sends, and reads the head of the answer.
  Task<Result<void>> begin(const RcloneInstance& run, Request request);
  unsigned status() const { return parser_.get().result_int(); }
  /// Some of the body into `out`; 0 at its end.
  Task<Result<std::size_t>> read_some(std::span<std::byte> out);
  /// Returns bytes that have arrived of a body whose length was announced; 0 if there are none, or
  /// for another body. Leaves the last byte to read_some, which also fails if a body ends too
  /// early.
  std::size_t read_now(std::span<std::byte> out);
  /// The length of the body, if it was announced.
  std::optional<std::uint64_t> body_bytes() const { return told_bytes_; }
  /// Reads the error that the engine sent instead, as its status told.
  Task<Error> error();
  /// The rest of the body, as far as `limit_bytes`.
  Task<Result<std::string>> read_text(std::size_t limit_bytes);

 private:
  Task<Result<std::size_t>> read_raw(std::span<std::byte> out);
  Task<Result<std::size_t>> read_chunks(std::span<std::byte> out);

  int line_ = -1;  ///< The connection between calls, when no executor knows it.
  boost::beast::flat_buffer buffer_;
  boost::beast::http::response_parser<boost::beast::http::buffer_body> parser_;
  std::optional<std::uint64_t> told_bytes_;
  std::uint64_t left_bytes_ = 0;  ///< The length of the body, if it was announced.
};

/// Asks for a file's content from `offset` on. `fs` is what rclone calls the remote.
HttpExchange::Request content_request(std::string_view fs, std::string_view place,
                                      std::uint64_t offset);

}  // namespace coffer::rclone
