#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"

namespace coffer::objects::s3 {

/// One request over HTTP/1.1. What it refers to must stay until `perform` returns.
struct HttpRequest {
  std::string method;
  std::string url;
  std::vector<std::string> headers;      ///< Whole lines, with `Host`.
  std::span<const std::byte> body = {};  ///< Sent with its length; not sent by GET and DELETE.
  std::span<std::byte> out = {};         ///< Takes the body of an answer 206.
  std::chrono::milliseconds limit{};     ///< For all of the request.
};

struct HttpAnswer {
  long status = 0;
  std::string date = {};
  std::string retry_after = {};
  std::string content_range = {};
  std::string body = {};           ///< But of an answer 206.
  std::size_t received_bytes = 0;  ///< Of HttpRequest::out.
  bool is_too_long = false;        ///< The body was more than may be taken, and was cut off.
};

/// A request without a whole answer.
struct HttpFailure {
  enum class Kind : std::uint8_t {
    unreachable,  ///< The name is not known, or no connection is accepted.
    no_tls,       ///< No TLS connection came about.
    untrusted,    ///< The server's certificate is not trusted.
    bad_ca_file,  ///< The file of trusted certificates cannot be read.
    timed_out,
    cut,       ///< The connection broke before the answer's end.
    not_http,  ///< What was answered is not HTTP.
    ending,    ///< This program is shutting down.
    lack,      ///< This machine has no descriptor left (lack_of).
  };
  Kind kind;
  std::string detail = {};  ///< For the log.
  std::optional<Error> lack = {};
};

/// Handles of libcurl that are kept with their connections, and used again. Follows no redirect,
/// uses no proxy, and checks certificates by TLS 1.2 or later. Safe from any thread.
class HttpHandles {
 public:
  struct Settings {
    std::string ca_file;  ///< The system's certificates if empty.
    std::chrono::milliseconds connect_limit;
    std::chrono::milliseconds stall_limit;  ///< Between bytes of contents; looked at each second.
    std::stop_token ending;
  };
  explicit HttpHandles(Settings settings);
  ~HttpHandles();
  HttpHandles(const HttpHandles&) = delete;
  HttpHandles& operator=(const HttpHandles&) = delete;

  /// Sends a request and waits for the answer, whatever its status. A body in HttpAnswer has at
  /// most a megabyte. A kept connection that was closed meanwhile is replaced, which sends the
  /// request again.
  std::expected<HttpAnswer, HttpFailure> perform(const HttpRequest& request);

 private:
  struct Close {
    void operator()(void* easy) const;
  };
  using Handle = std::unique_ptr<void, Close>;
  Handle take();
  void give_back(Handle handle);

  const Settings settings_;
  std::mutex mutex_;
  std::vector<Handle> idle_;  ///< The one that was used last comes last, and is taken first.
};

}  // namespace coffer::objects::s3
