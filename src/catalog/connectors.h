#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/connector.h"
#include "catalog/credential.h"

namespace coffer::catalog {

class Database;

struct NewConnector {
  AccountId account;
  ConnectorKind kind = ConnectorKind::ftp;
  std::string name;
  std::string description;
  std::string target;
  std::string settings;
  std::string sealed_secret;
  bool read_only = false;
  std::optional<Asker> asker = {};
};

/// The error of a change with a `replaced_secret` that is not the stored one any more.
extern const Error kConflict;

/// A change of a connector; absent fields stay.
struct ConnectorChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> target;
  std::optional<std::string> settings;
  std::optional<std::string> sealed_secret;
  std::optional<bool> read_only;
  /// Only of the connector whose sealed secret this still is, so that two changes at once do not
  /// undo each other.
  std::optional<std::string> replaced_secret;
  /// The settings name another place: keys limited to the connector or to a folder in it are
  /// revoked in the same step.
  bool target_changed = false;
  std::optional<Asker> asker = {};
};

/// The connectors in the catalog. Safe from any thread. A change counts from the next request on,
/// in every process that uses the catalog. Names compare by their bytes.
class Connectors {
 public:
  explicit Connectors(Database& database) : database_(database) {}

  /// `exists` if the account has one of this name, `not_found` if there is no such account.
  Task<Result<Connector>> create(NewConnector connector);
  /// The account's, by name.
  Task<Result<std::vector<Connector>>> list(AccountId account);
  /// All accounts', by name, then by account.
  Task<Result<std::vector<Connector>>> list_all();
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<Connector>> find(AccountId account, ConnectorId id);
  /// `not_found` likewise, kConflict where `replaced_secret` is not what it has; `exists` for the
  /// name.
  Task<Result<Connector>> set(AccountId account, ConnectorId id, ConnectorChange change);
  /// `not_found` likewise. What lies on the server stays.
  Task<Result<void>> remove(AccountId account, ConnectorId id, std::optional<Asker> asker = {});

 private:
  Database& database_;
};

}  // namespace coffer::catalog
