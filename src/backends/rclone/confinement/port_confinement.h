#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"

namespace coffer::rclone {

/// Returns a function for ChildCommand::confine: from then on the process, and all that it starts,
/// can connect by TCP to these ports alone, and can make no sockets but those of TCP, which
/// Landlock does not restrict (see keep_to_tcp_sockets). Open descriptors stay open. `unavailable`
/// if this kernel has no such rules, or there is no filter for this processor: Linux 6.7 and newer
/// have the rules, unless Landlock is switched off.
///
/// It does not restrict:
/// - the same ports on other machines: Go bypasses its proxy for this machine's addresses alone,
/// and the proxy judges all others;
/// - listening, which the engine's remote control needs, and replies to those who connect;
/// - files and other processes: `check` restricts the files that rclone may read.
Result<std::function<bool()>> confine_to_ports(const std::vector<std::uint16_t>& ports);

/// The filter is written for these processors.
#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool kHasSocketFilter = true;
#else
inline constexpr bool kHasSocketFilter = false;
#endif

/// Leaves this process, and all that it starts, no sockets to make but those of TCP over IPv4 and
/// IPv6, which are the ones that Landlock holds to ports: no UDP, so that no name is asked for, no
/// MPTCP, no sockets of local services. Others fail with EACCES. Needs no_new_privs; system calls
/// alone, for after a fork. False if the kernel refuses, or there is no filter for this processor.
bool keep_to_tcp_sockets();

}  // namespace coffer::rclone
