#pragma once

#include <cstdint>

#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/providers/providers.h"
#include "storage/remote.h"

/// Confines the engine (rclone process) of users' drives to the addresses that these drives may
/// reach; see docs/adr/0016-drives-of-users.md.
namespace coffer::rclone {

class Proxy;

/// Returns a copy of `options` that confines the engine: it uses the proxy, and the kernel lets it
/// connect only to the proxy's port and to `upload_port`, the port of the UploadServer. If the
/// kernel cannot enforce this, an engine with these options never starts, and calls to it fail with
/// `unavailable`. The proxy must outlive the engine.
RcloneOptions confined_engine(RcloneOptions options, const Proxy& proxy, std::uint16_t upload_port);

/// Checks the hosts in a drive's configuration. The configuration must have passed `check`
/// (providers.h). Does not resolve host names: the proxy checks the addresses of names when it
/// connects. `invalid`, with a message that contains no value of the configuration, if:
/// - the value of an address option (is_address) begins with http://,
/// - a host is a name of this machine, such as localhost,
/// - a host is a literal address that `may_connect` refuses.
Result<void> check_hosts(const RemoteConfig& config, const storage::MayConnect& may_connect);

}  // namespace coffer::rclone
