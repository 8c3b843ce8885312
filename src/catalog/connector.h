#pragma once

#include <string>

#include "base/clock.h"
#include "base/id.h"
#include "catalog/connector_kind.h"

namespace coffer::catalog {

/// A remote server or a cloud drive that an account of Coffer mounted.
struct Connector {
  ConnectorId id;
  AccountId account;
  ConnectorKind kind = ConnectorKind::ftp;
  std::string name;  ///< The label; unique among the account's connectors.
  std::string description;
  std::string target;         ///< Shown to people: `sftp://user@host:port/folder`.
  std::string settings;       ///< In a format that depends on the kind.
  std::string sealed_secret;  ///< Encrypted, as base64; empty if there is no secret.
  bool read_only = false;
  Timestamp created_at{};
};

}  // namespace coffer::catalog
