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

/// Determines the address of a request's client, by `X-Forwarded-For`, and whether the client used
/// HTTPS, by `X-Forwarded-Proto`. Uses these headers only if the peer is a trusted proxy.
class TrustedProxies {
 public:
  /// Parses addresses and networks (`192.0.2.0/24`, `2001:db8::/32`). `invalid` for other texts.
  static Result<TrustedProxies> parse(const std::vector<std::string>& networks);

  struct Client {
    std::string address;
    bool is_secure = false;
    bool is_by_proxy = false;  ///< True if the peer is a trusted proxy.
    /// True if the peer is not a trusted proxy, but sent headers of a proxy, which do not count.
    bool has_ignored_headers = false;
  };
  /// Returns the client of a request. If `peer`, the other end of the connection, is not a trusted
  /// proxy, `peer` is the client. Otherwise the client's address is the last one in X-Forwarded-For
  /// that is not a trusted proxy's, and the last X-Forwarded-Proto determines `is_secure`.
  Client client_of(std::string_view peer, const Request& request) const;
  /// Returns true if the text is an address of one of the networks.
  bool trusts(std::string_view address) const;

 private:
  std::vector<asio::ip::network_v4> v4_;
  std::vector<asio::ip::network_v6> v6_;
};

/// Returns the IPv4 address of an IPv4-mapped IPv6 address; any other text unchanged.
std::string plain_address(std::string_view text);

}  // namespace coffer::http
