#pragma once

#include <cstdint>

#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/providers/providers.h"
#include "storage/remote.h"

/// Confines the engine of users' drives to the addresses that they may reach; see
/// docs/adr/0016-drives-of-users.md.
namespace coffer::rclone {

class Proxy;

/// The options of an engine that gets out by the proxy alone, which must outlive it. Beside it the
/// kernel lets it connect only to the upload server, which gives it uploads. Where the kernel
/// cannot hold it, it never runs and says so: `unavailable`.
RcloneOptions confined_engine(RcloneOptions options, const Proxy& proxy, std::uint16_t upload_port);

/// `invalid`, with a line that repeats no value, for a drive that such an engine cannot reach for
/// sure: by http, on this machine by name, or at an address that may not be connected to. What
/// names lead to is for the proxy to see. The configuration must have passed `check`.
Result<void> check_hosts(const RemoteConfig& config, const storage::MayConnect& may_connect);

}  // namespace coffer::rclone
