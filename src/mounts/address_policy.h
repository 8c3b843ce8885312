#pragma once

#include <sys/socket.h>

#include "storage/remote.h"

namespace coffer::mounts {

/// True if the address is one of the public Internet: not this machine, not link-local, not of a
/// private network, not multicast, and none of the addresses that IANA keeps for special purposes
/// (RFC 6890); an IPv4 address in an IPv6 one counts as itself.
bool is_public_address(const sockaddr& address);

/// Where a connector may lead: anywhere (nothing is refused then), or to such addresses alone.
storage::MayConnect policy_for(bool may_be_private);

}  // namespace coffer::mounts
