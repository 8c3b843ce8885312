#pragma once

namespace coffer::rclone {

/// Leaves this process, and all that it starts, no sockets to make but those of TCP over IPv4 and
/// IPv6, which are the ones that Landlock holds to ports: no UDP, so that no name is asked for, no
/// MPTCP, no sockets of local services. Others fail with EACCES. Needs no_new_privs; system calls
/// alone, for after a fork. False if the kernel refuses. Processors but x86-64 and 64-bit ARM have
/// no such filter here: true, and nothing is held back.
bool keep_to_tcp_sockets();

}  // namespace coffer::rclone
