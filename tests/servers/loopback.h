#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace coffer::servers {

/// A TCP port of the loopback that is free now.
std::uint16_t free_port();

/// A socket that listens on a free port of the loopback. Throws if there is none.
int listen_on_loopback();
std::uint16_t port_of(int socket);

/// A connected socket, or -1.
int connect_to_loopback(std::uint16_t port);

/// True as soon as a server listens there, false if none does within ten seconds.
bool wait_for_port(std::uint16_t port);

/// The processes that a process has started, and theirs, by /proc.
std::vector<pid_t> children_of(pid_t process);

/// Kills processes, also of another parent, and returns when they have ended. Throws if they do
/// not.
void end_processes(const std::vector<pid_t>& processes);

}  // namespace coffer::servers
