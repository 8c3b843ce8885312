#pragma once

#include <cstdint>

#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/providers/providers.h"
#include "storage/remote.h"

/// Confines the engine (rclone process) of users' drives to the addresses that these drives may
/// reach; see docs/adr/0016-drives-of-users.md.
namespace coffer::rclone {

class Proxy;

/// Returns `options`, changed so that the kernel lets the engine connect only to the proxy and to
/// the upload server. If the kernel cannot enforce this, the engine never starts, and its calls
/// fail with `unavailable`. The proxy must outlive the engine.
RcloneOptions confined_engine(RcloneOptions options, const Proxy& proxy, std::uint16_t upload_port);

/// Checks the hosts in a drive's configuration, which must have passed `check`. Does not resolve
/// names: the proxy checks their addresses. `invalid`, with a message that repeats no value, if:
/// - an address begins with http://,
/// - a host is a name of this machine, such as localhost,
/// - a host is a literal address that `may_connect` refuses.
Result<void> check_hosts(const RemoteConfig& config, const storage::MayConnect& may_connect);

}  // namespace coffer::rclone
