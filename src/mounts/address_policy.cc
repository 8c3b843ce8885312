#include "mounts/address_policy.h"

#include <ifaddrs.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <cstring>
#include <memory>
#include <utility>

namespace coffer::mounts {
namespace {

namespace ip = boost::asio::ip;

/// IANA's registries of special-purpose addresses, where not globally reachable, and multicast.
constexpr std::array kSpecialV4 = {
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4"};
/// Only global unicast (2000::/3) is public at all; within it these are not.
constexpr std::array kSpecialV6 = {"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"};

bool is_public(const ip::address_v4& address) {
  return std::ranges::none_of(kSpecialV4, [&](const char* text) {
    const auto network = ip::make_network_v4(text);
    return address.to_uint() >> (32 - network.prefix_length()) ==
           network.address().to_uint() >> (32 - network.prefix_length());
  });
}

bool is_in(const ip::address_v6& address, const ip::network_v6& network) {
  return ip::network_v6(address, network.prefix_length()).canonical() == network.canonical();
}

bool is_public(const ip::address_v6& address) {
  if (!is_in(address, ip::make_network_v6("2000::/3"))) return false;
  return std::ranges::none_of(
      kSpecialV6, [&](const char* text) { return is_in(address, ip::make_network_v6(text)); });
}

bool is_public(const ip::address& address) {
  return address.is_v4() ? is_public(address.to_v4()) : is_public(address.to_v6());
}

/// Returns the IPv4 address in an IPv6 address that leads to it: an IPv4-mapped one, or one of
/// NAT64 (RFC 6052). Returns any other address unchanged.
ip::address reduced(const ip::address_v6& address) {
  if (address.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, address);
  if (!is_in(address, ip::make_network_v6("64:ff9b::/96"))) return address;
  const auto bytes = address.to_bytes();
  return ip::address_v4({bytes[12], bytes[13], bytes[14], bytes[15]});
}

/// Returns nullopt for an address of another family. Leaves out the interface of an IPv6 address.
std::optional<ip::address> address_of(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof(v4));
    return ip::address_v4(ntohl(v4.sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof(v6));
  ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return reduced(ip::address_v6(bytes));
}

}  // namespace

bool is_public_address(const sockaddr& address) {
  const auto one = address_of(address);
  return one && is_public(*one);
}

std::optional<std::vector<ip::address>> own_addresses() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(first, &::freeifaddrs);
  std::vector<ip::address> addresses;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr) continue;
    if (const auto address = address_of(*each->ifa_addr)) addresses.push_back(*address);
  }
  return addresses;
}

storage::MayConnect policy_for(bool may_be_private, OwnAddresses own) {
  if (may_be_private) return {};
  return [own = std::move(own)](const sockaddr& address) {
    const auto wanted = address_of(address);
    if (!wanted || !is_public(*wanted)) return false;
    const auto addresses = own();
    return addresses && std::ranges::find(*addresses, *wanted) == addresses->end();
  };
}

}  // namespace coffer::mounts
