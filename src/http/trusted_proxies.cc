#include "http/trusted_proxies.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>

#include "http/syntax.h"

namespace coffer::http {
namespace {

using asio::ip::address;

/// The elements of a list field in all its header lines (RFC 9110, section 5.3).
std::vector<std::string_view> elements_of(const Request& request, std::string_view name) {
  std::vector<std::string_view> elements;
  for (const Header& header : request.headers) {
    if (!equal_ignoring_case(header.name, name)) continue;
    for (std::string_view rest = header.value; !rest.empty();) {
      elements.push_back(trim(cut_front(rest, ',')));
    }
  }
  return elements;
}

/// True for a request that a proxy passed on, or that claims so.
bool is_forwarded(const Request& request) {
  constexpr std::string_view kNames[] = {"X-Forwarded-For", "X-Forwarded-Proto", "Forwarded"};
  return std::ranges::any_of(request.headers, [&](const Header& header) {
    return std::ranges::any_of(kNames, [&](std::string_view name) {
      return header.name.size() == name.size() && equal_ignoring_case(header.name, name);
    });
  });
}

template <class Network, class Address>
bool contains(const Network& network, const Address& one) {
  const Network host(one, network.prefix_length());
  return host.canonical() == network.canonical();
}

}  // namespace

std::string plain_address(std::string_view text) {
  boost::system::error_code error;
  const auto one = asio::ip::make_address(std::string(text), error);
  if (error || !one.is_v6() || !one.to_v6().is_v4_mapped()) return std::string(text);
  return asio::ip::make_address_v4(asio::ip::v4_mapped, one.to_v6()).to_string();
}

Result<TrustedProxies> TrustedProxies::parse(const std::vector<std::string>& networks) {
  TrustedProxies proxies;
  for (const std::string& text : networks) {
    const bool is_v6 = text.find(':') != std::string::npos;
    const bool has_prefix = text.find('/') != std::string::npos;
    const std::string whole = has_prefix ? text : text + (is_v6 ? "/128" : "/32");
    boost::system::error_code error;
    if (is_v6) {
      proxies.v6_.push_back(asio::ip::make_network_v6(whole, error));
    } else {
      proxies.v4_.push_back(asio::ip::make_network_v4(whole, error));
    }
    if (error) {
      return fail(ErrorCode::invalid,
                  "must be addresses or networks such as 192.0.2.0/24, not \"" + text + "\"");
    }
  }
  return proxies;
}

bool TrustedProxies::trusts(std::string_view text) const {
  boost::system::error_code error;
  const address one = asio::ip::make_address(plain_address(text), error);
  if (error) return false;
  if (one.is_v4()) {
    return std::ranges::any_of(v4_, [&](const auto& net) { return contains(net, one.to_v4()); });
  }
  return std::ranges::any_of(v6_, [&](const auto& net) { return contains(net, one.to_v6()); });
}

TrustedProxies::Client TrustedProxies::client_of(std::string_view peer,
                                                 const Request& request) const {
  Client client{std::string(peer)};
  if ((v4_.empty() && v6_.empty()) || !trusts(peer)) {
    client.has_ignored_headers = is_forwarded(request);
    return client;
  }
  client.is_by_proxy = true;
  const auto schemes = elements_of(request, "X-Forwarded-Proto");
  client.is_secure = !schemes.empty() && equal_ignoring_case(schemes.back(), "https");
  auto hops = elements_of(request, "X-Forwarded-For");
  while (!hops.empty() && trusts(client.address)) {
    boost::system::error_code error;
    const auto hop = asio::ip::make_address(std::string(hops.back()), error);
    if (error) break;  // A malformed address is not trusted.
    client.address = plain_address(hop.to_string());
    hops.pop_back();
  }
  return client;
}

}  // namespace coffer::http
