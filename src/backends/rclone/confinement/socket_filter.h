#pragma once

namespace coffer::rclone {

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
