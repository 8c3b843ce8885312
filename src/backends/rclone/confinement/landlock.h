#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"

namespace coffer::rclone {

/// For ChildCommand::confine: from then on the process, and all that it starts, can connect by TCP
/// to these ports alone, and can make no other sockets than those of TCP, about which Landlock is
/// not asked (see socket_filter.h). What is open stays open. `unavailable` where this kernel has no
/// such rules, or there is no filter for this processor: Linux 6.7 and newer have the rules, unless
/// Landlock is switched off.
///
/// What it does not hold back:
/// - the same ports on other machines: Go goes past its proxy for this machine's addresses alone,
///   and all others are for the proxy to judge;
/// - listening, which the engine's remote control needs, and answering who connects;
/// - files and other processes: what rclone may read is for `check` to see to.
Result<std::function<bool()>> confine_to_ports(const std::vector<std::uint16_t>& ports);

}  // namespace coffer::rclone
