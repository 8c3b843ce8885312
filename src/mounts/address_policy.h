#pragma once

#include <sys/socket.h>

#include <boost/asio/ip/address.hpp>
#include <functional>
#include <optional>
#include <vector>

#include "storage/remote.h"

namespace coffer::mounts {

/// True if the address is globally reachable. False for loopback, link-local, private and multicast
/// addresses, and for those that IANA reserves for special purposes (RFC 6890). For an IPv6 address
/// that contains an IPv4 address (IPv4-mapped or NAT64), the IPv4 address decides.
bool is_public_address(const sockaddr& address);

/// Returns the addresses of this machine's interfaces (getifaddrs(3)); nullopt if they cannot be
/// read. Safe from any thread.
std::optional<std::vector<boost::asio::ip::address>> own_addresses();
using OwnAddresses = std::function<std::optional<std::vector<boost::asio::ip::address>>()>;

/// Returns the rule for the addresses that a connector may reach. If `may_be_private`, the rule is
/// empty and allows all addresses. Otherwise it allows only public addresses that are none of this
/// machine's own, which it reads each time, since interfaces come and go. What listens here may
/// rely on a packet filter that connections from this machine do not pass.
storage::MayConnect policy_for(bool may_be_private, OwnAddresses own = &own_addresses);

}  // namespace coffer::mounts
