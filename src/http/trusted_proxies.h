#pragma once

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

/// Finds the client behind trusted proxies and its scheme by `X-Forwarded-For` and
/// `X-Forwarded-Proto`. These headers are ignored from all other peers.
class TrustedProxies {
 public:
  /// From addresses and networks (`192.0.2.0/24`, `2001:db8::/32`); `invalid` naming one that is
  /// neither.
  static Result<TrustedProxies> parse(const std::vector<std::string>& networks);

  struct Client {
    std::string address;
    bool is_secure = false;
  };
  /// The nearest address that is not a trusted proxy's, and the scheme of its request. `peer` is
  /// the other end of the connection.
  Client client_of(std::string_view peer, const Request& request) const;

 private:
  bool trusts(std::string_view address) const;

  std::vector<asio::ip::network_v4> v4_;
  std::vector<asio::ip::network_v6> v6_;
};

/// Turns an IPv4 address written as IPv6 into the plain one; other text stays.
std::string plain_address(std::string_view text);

}  // namespace coffer::http
