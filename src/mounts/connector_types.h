#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/connectors/connector_type.h"
#include "core/connectors/drive_providers.h"
#include "core/connectors/sealer.h"
#include "core/tasks/work_pools.h"
#include "mounts/remote_access.h"

namespace coffer::mounts {

/// The dependencies of connector types. They must outlive the types and the types' backends.
struct TypeParts {
  RemoteAccess& access;
  core::DriveProviders& providers;
  core::WorkPools& pools;
  const core::Sealer& sealer;
  /// Stores an OAuth token that a drive has renewed. Called on any thread. The connector is as it
  /// was when its backend was opened, so its settings may be out of date.
  std::function<void(const catalog::Connector&, const std::string& token)> keep_token;
};

using MakeType = std::unique_ptr<core::ConnectorType>(const TypeParts& parts);
/// Makes the type for FTP servers, with or without TLS (server_type.cc).
MakeType ftp_type;
/// Makes the type for SFTP servers, which have a host key (server_type.cc).
MakeType sftp_type;
/// Makes the type for cloud drives (drive_type.cc). The encrypted secret of such a connector
/// contains all parameters of the drive.
MakeType drive_type;

/// The functions that make the connector types, one for each kind of connector.
inline constexpr std::array kConnectorTypes{&ftp_type, &sftp_type, &drive_type};

inline core::ConnectorTypes connector_types(const TypeParts& parts) {
  std::vector<std::unique_ptr<core::ConnectorType>> types;
  for (const auto make : kConnectorTypes) types.push_back(make(parts));
  return core::ConnectorTypes(std::move(types));
}

}  // namespace coffer::mounts
