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

/// The parts that types are made with; they outlive the types and their backends.
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
/// FTP servers, also over TLS (server_type.cc).
MakeType ftp_type;
/// Servers reached by SFTP, which show a host key (server_type.cc).
MakeType sftp_type;
/// Cloud drives, all of whose parameters are in the sealed secret (drive_type.cc).
MakeType drive_type;

/// The table of connector types: a row for each kind.
inline constexpr std::array kConnectorTypes{&ftp_type, &sftp_type, &drive_type};

inline core::ConnectorTypes connector_types(const TypeParts& parts) {
  std::vector<std::unique_ptr<core::ConnectorType>> types;
  for (const auto make : kConnectorTypes) types.push_back(make(parts));
  return core::ConnectorTypes(std::move(types));
}

}  // namespace coffer::mounts
