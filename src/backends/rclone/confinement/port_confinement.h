#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"

namespace coffer::rclone {

/// Returns a function for ChildCommand::confine. `unavailable` if:
/// - there is no socket filter for this processor (kHasSocketFilter),
/// - Landlock is off, or the kernel is older than Linux 6.7, which introduced rules for ports.
///
/// The function confines the process that calls it, and all processes that it starts later:
/// - They can connect by TCP only to `ports`. Landlock does not restrict the machine, but rclone is
///   configured to reach other machines only through the proxy, which checks all addresses.
/// - They can create only TCP sockets (keep_to_tcp_sockets). Landlock cannot restrict others.
///
/// The function does not restrict:
/// - descriptors that are already open,
/// - listening, and sending replies to clients, which the engine's remote control needs,
/// - access to files and processes; `check` (providers.h) restricts which files rclone may read.
Result<std::function<bool()>> confine_to_ports(const std::vector<std::uint16_t>& ports);

#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool kHasSocketFilter = true;
#else
inline constexpr bool kHasSocketFilter = false;
#endif

/// Lets this process, and all processes that it starts later, create only TCP sockets over IPv4 or
/// IPv6, because Landlock cannot restrict the ports of other sockets. For a UDP, MPTCP, Unix or
/// other socket, socket(2) fails with EACCES, so DNS over UDP does not work. The process must have
/// set no_new_privs. Returns false if the kernel refuses the filter, or there is no filter for this
/// processor. Safe between fork and exec, since it makes only system calls.
bool keep_to_tcp_sockets();

}  // namespace coffer::rclone
