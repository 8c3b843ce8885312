#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"

namespace coffer::rclone {

/// For ChildCommand::confine: holds the process, and all that it starts, to these ports of TCP, on
/// whatever address they are, and to sockets that the kernel asks Landlock about. It gives no
/// rights, and takes none that were given before: sockets that are open stay open. `unavailable`
/// where this kernel has no such rules (Linux 6.7 and newer have them, unless Landlock is switched
/// off).
///
/// What it does not hold back:
/// - listening and being connected to, which the engine needs;
/// - another machine's same port, which is for the proxy and the addresses it is asked for to
///   prevent: Go goes past a proxy for loopback addresses alone;
/// - files and other processes: what rclone may read is for `check` to see to.
Result<std::function<bool()>> confine_to_ports(const std::vector<std::uint16_t>& ports);

}  // namespace coffer::rclone
