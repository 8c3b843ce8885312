#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "async/task.h"
#include "backends/rclone/engine/loopback_listener.h"
#include "backends/remote/dialer.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::rclone {

struct ProxyLimits {
  std::chrono::milliseconds ask = std::chrono::seconds(10);      ///< Time to receive a request.
  std::chrono::milliseconds connect = std::chrono::seconds(20);  ///< Time to resolve and connect.
  std::chrono::milliseconds idle = std::chrono::minutes(5);      ///< Longest time without traffic.
  std::size_t connections = 256;  ///< The most open connections; further ones get status 503.
};

/// A CONNECT proxy (RFC 9110, section 9.3.6) on 127.0.0.1, through which a confined engine reaches
/// its drives. The proxy itself resolves each requested name, once, and connects only to a resolved
/// address that `may_connect` allows. It refuses all methods except CONNECT, since drives must be
/// reached by https. It logs nothing. Safe from any thread.
///
/// Status codes of failures:
/// - 400 if the request is malformed, or its target is not a host with a port,
/// - 403 if the address is not allowed, or the method is not CONNECT,
/// - 407 if the request lacks the credential that `url` contains,
/// - 502 if the target cannot be reached,
/// - 503 if there are too many connections or name lookups,
/// - 504 if ProxyLimits::ask or ProxyLimits::connect is exceeded.
class Proxy {
 public:
  /// Throws if it cannot listen, for example because no port is free.
  explicit Proxy(storage::MayConnect may_connect, ProxyLimits limits = {});
  /// Closes all connections.
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  std::uint16_t port() const { return listener_.port(); }
  /// Returns the value for HTTPS_PROXY. It contains the credential, so it is a secret.
  std::string url() const;

 private:
  Task<void> serve(asio::ip::tcp::socket client);
  /// Reads and checks the client's request, and connects to its target. Stores in `early` the bytes
  /// that the client sent after the request's head.
  Task<Result<asio::ip::tcp::socket>> admit(asio::ip::tcp::socket& client, std::string& early);

  const ProxyLimits limits_;
  const std::string password_;
  const std::string authorization_;
  std::size_t connections_ = 0;  ///< Used only on the listener's thread.
  LoopbackListener listener_;
  remote::Dialer dialer_;
};

}  // namespace coffer::rclone
