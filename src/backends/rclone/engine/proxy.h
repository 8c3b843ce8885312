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
  std::chrono::milliseconds ask =
      std::chrono::seconds(10);  ///< The limit for the head of a request.
  std::chrono::milliseconds connect = std::chrono::seconds(20);  ///< The name's addresses too.
  std::chrono::milliseconds idle =
      std::chrono::minutes(5);    ///< The limit without a byte either way.
  std::size_t connections = 256;  ///< At once; more get 503.
};

/// The way out for an engine that may not go everywhere: a CONNECT proxy (RFC 9110, section 9.3.6)
/// on 127.0.0.1, for who knows its credential. It asks for a name's addresses itself, once, and
/// connects only to one that may be connected to, so that what was asked is what is reached. Other
/// requests than CONNECT are refused: drives are reached by https. It logs nothing. Safe from any
/// thread.
///
/// Answers: 407 without the credential, 400 for what is no host with a port, 403 for an address
/// that may not be connected to and for other methods, 502 where there is no way, 503 when there is
/// too much to do, 504 when no answer comes in time.
class Proxy {
 public:
  /// Throws if there is no port.
  explicit Proxy(storage::MayConnect may_connect, ProxyLimits limits = {});
  /// Cuts off what is under way.
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  std::uint16_t port() const { return listener_.port(); }
  /// Returns the value of HTTPS_PROXY, with the credential: a secret.
  std::string url() const;

 private:
  Task<void> serve(asio::ip::tcp::socket client);
  /// Connects to the target that `client` asks for and may have.
  Task<Result<asio::ip::tcp::socket>> admit(asio::ip::tcp::socket& client, std::string& early);

  const ProxyLimits limits_;
  const std::string password_;
  const std::string authorization_;
  std::size_t connections_ = 0;  ///< Of its thread.
  LoopbackListener listener_;
  remote::Dialer dialer_;
};

}  // namespace coffer::rclone
