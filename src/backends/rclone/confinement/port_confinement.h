#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"

namespace coffer::rclone {

/// Returns a function for ChildCommand::confine. After its call, the process and all that it starts
/// can connect by TCP only to `ports`. They can create only TCP sockets (keep_to_tcp_sockets),
/// since Landlock does not restrict other sockets. Open descriptors stay open. `unavailable` if:
/// - there is no socket filter for this processor (kHasSocketFilter),
/// - the kernel is older than Linux 6.7, which has the first rules for ports, or Landlock is off.
///
/// The function does not restrict:
/// - connections to the same ports on other machines: rclone bypasses its proxy only for addresses
///   of this machine, and the proxy checks all other addresses;
/// - listening, which the engine's remote control needs, and replies to clients that connect;
/// - files and other processes: `check` restricts the files that rclone may read.
Result<std::function<bool()>> confine_to_ports(const std::vector<std::uint16_t>& ports);

/// True on the processors for which there is a socket filter.
#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool kHasSocketFilter = true;
#else
inline constexpr bool kHasSocketFilter = false;
#endif

/// Forbids this process, and all that it starts, to create sockets other than TCP over IPv4 or
/// IPv6. Landlock restricts only these to ports. For other sockets, such as UDP (which DNS needs),
/// MPTCP and Unix sockets, socket(2) fails with EACCES. Returns false if the kernel refuses the
/// filter, or there is none for this processor. The process must have set no_new_privs. Safe
/// between fork and exec, since it makes only system calls.
bool keep_to_tcp_sockets();

}  // namespace coffer::rclone
