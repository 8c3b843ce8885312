#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/tls_source.h"
#include "http/trusted_proxies.h"

namespace coffer::http {

/// The measurements of one request and its answer, for metrics.
struct RequestFigures {
  std::string_view method;   ///< The method, such as `GET`; `other` if it is Method::other.
  std::string_view pattern;  ///< The route's pattern; empty if no route matched.
  unsigned status = 0;
  std::chrono::steady_clock::duration took{};  ///< From the head's last byte to the answer's last.
  std::uint64_t received_bytes = 0;            ///< The bytes of the request's body.
  std::uint64_t sent_bytes = 0;                ///< The bytes of the answer, including its head.
};

/// Receives the figures of every request when it has ended.
class RequestObserver {
 public:
  virtual ~RequestObserver() = default;
  /// Called by any thread; must not block.
  virtual void note(const RequestFigures& figures) = 0;
};

class ProxyWatch;

struct ServerOptions {
  std::string address = "127.0.0.1";  ///< An IPv4 or IPv6 address.
  std::uint16_t port = 8080;          ///< 0 selects a free port.
  /// If this is set, the server listens at this Unix socket and not at a port, with one thread. It
  /// serves only processes of root and of its own user. It sets Request::is_local.
  std::filesystem::path socket = {};
  /// Another port, which speaks TLS. Not with `socket`.
  struct TlsPort {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8443;          ///< 0 selects a free port.
    const TlsSource* source = nullptr;  ///< Must outlive the server.
  };
  std::optional<TlsPort> tls = {};
  std::size_t threads = 0;  ///< 0: one for each core.
  std::size_t header_limit_bytes = 16 * 1024;
  /// If a new connection exceeds this number, the server closes one without a request in progress,
  /// or else one whose client has paused its response. If there is none, the new connection gets a
  /// 503, or, far above this number, no answer at all.
  std::size_t max_connections = 20000;
  std::chrono::milliseconds header_timeout{10'000};  ///< From a head's first byte to its last.
  std::chrono::milliseconds idle_timeout{75'000};    ///< The longest wait for the next request.
  std::chrono::milliseconds stall_timeout{
      30'000};  ///< The longest time in which no byte of a body is sent or received. A client that
                ///< has paused a Response with `may_pause` for so long is cut off if the server
                ///< runs short of connections or memory.
  /// The minimum rate at which a body is sent or received, in bytes a second; 0 accepts any rate.
  /// The rate is averaged over `min_rate_window`. Only time spent waiting for the client counts.
  std::uint64_t min_rate_bytes = 256;
  std::chrono::milliseconds min_rate_window{60'000};
  /// Before the server closes a connection on which it has not read all input, it reads and drops
  /// the rest. Otherwise the kernel would reset the connection, and the client could lose the
  /// answer. The limits for this draining are: bytes, total time, and time without a byte.
  std::uint64_t drain_limit_bytes = 256 * 1024 * 1024;
  std::chrono::milliseconds drain_timeout{30'000};
  std::chrono::milliseconds drain_stall_timeout{5'000};
  /// Empty, or a path such as `/coffer`, without a slash at its end: a proxy serves all addresses
  /// below it. It is cut off the paths of requests; paths without it are taken as they are.
  std::string base_path = {};
  /// How long browsers must use HTTPS alone for the host (RFC 6797): told in answers to requests
  /// that came by HTTPS. 0: not told.
  std::chrono::days hsts{0};
  bool access_log = true;
  RequestObserver* observer = nullptr;  ///< Must outlive the server.
  ProxyWatch* proxy_watch = nullptr;    ///< Must outlive the server.
  TrustedProxies trusted_proxies;       ///< By default there are none.
  /// Headers that trusted proxies alone may send: a request of anybody else that has one is
  /// refused.
  std::vector<std::string> proxy_headers = {};
  std::vector<std::string> cors_origins;  ///< Exact origins, or `*`; empty: no CORS.
};

/// The options that can change while a server runs.
struct LiveOptions {
  bool access_log = true;
  TrustedProxies trusted_proxies;
  std::vector<std::string> cors_origins;
};

}  // namespace coffer::http
