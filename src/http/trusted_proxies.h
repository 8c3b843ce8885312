#pragma once

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "http/request.h"

namespace coffer::http {

/// Who asks behind a proxy, and whether by HTTPS, as `X-Forwarded-For` and `X-Forwarded-Proto` say.
/// They count from proxies that are trusted, and from no one else.
class TrustedProxies {
 public:
  /// From addresses and networks (`192.0.2.0/24`, `2001:db8::/32`); `invalid` naming one that is
  /// neither.
  static Result<TrustedProxies> parse(const std::vector<std::string>& networks);

  struct Client {
    std::string address;
    bool is_secure = false;
  };
  /// The nearest address that is no trusted proxy's. `peer` is the connection's other end; the
  /// scheme is that which the proxy next to it was asked by.
  Client client_of(std::string_view peer, const Request& request) const;

 private:
  bool trusts(std::string_view address) const;

  std::vector<asio::ip::network_v4> v4_;
  std::vector<asio::ip::network_v6> v6_;
};

/// An IPv4 address that is written as an IPv6 one becomes that; other text stays.
std::string plain_address(std::string_view text);

}  // namespace coffer::http
