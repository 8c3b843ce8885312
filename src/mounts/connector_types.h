#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "core/connectors/connector_type.h"
#include "core/connectors/drive_providers.h"
#include "core/connectors/sealer.h"
#include "core/tasks/work_pools.h"
#include "mounts/remote_access.h"

namespace coffer::mounts {

/// What types are made with; it outlives them and their backends.
struct TypeParts {
  RemoteAccess& access;
  core::DriveProviders& providers;
  core::WorkPools& pools;
  const core::Sealer& sealer;
  /// Called with the tokens that drives renew, by any thread, with the connector as it was read
  /// some time before.
  std::function<void(const catalog::Connector&, const std::string& token)> keep_token;
};

using MakeType = std::unique_ptr<core::ConnectorType>(const TypeParts& parts);
// Each in a file of its own.
MakeType ftp_type;    ///< FTP servers, also over TLS.
MakeType sftp_type;   ///< Servers reached by SFTP, which show a host key.
MakeType drive_type;  ///< Cloud drives. All their parameters are in the sealed secret.

/// The table of connector types: a row for each kind.
inline constexpr std::array kConnectorTypes{&ftp_type, &sftp_type, &drive_type};

core::ConnectorTypes connector_types(const TypeParts& parts);

}  // namespace coffer::mounts
