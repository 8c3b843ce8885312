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

/// The error (`conflict`) of Connectors::set if the stored settings or secret are not expected.
extern const Error kConflict;

/// A change of a connector. Absent fields do not change.
struct ConnectorChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> target;
  std::optional<std::string> settings;
  std::optional<std::string> sealed_secret;
  std::optional<bool> read_only;
  /// The settings and the sealed secret that the caller expects to be stored; kConflict if others
  /// are. This check keeps concurrent changes from undoing each other.
  std::optional<std::string> replaced_settings;
  std::optional<std::string> replaced_secret;
  /// True if the new settings lead to another server or folder. The change's transaction then
  /// revokes the keys and links limited to the connector or to a folder in it.
  bool target_changed = false;
  std::optional<Asker> asker = {};
};

/// The connectors in the catalog. Safe from any thread. Changes take effect with the next request,
/// in every process that uses the catalog. Names are compared bytewise.
class Connectors {
 public:
  explicit Connectors(Database& database) : database_(database) {}

  /// Adds a connector. `exists` if its name is taken, `not_found` if its account is unknown,
  /// `rate_limited` if the account has kMostConnectors.
  Task<Result<Connector>> create(NewConnector connector);
  /// Returns the account's connectors, sorted by name.
  Task<Result<std::vector<Connector>>> list(AccountId account);
  /// Returns the connectors of all accounts, sorted by name, then by account.
  Task<Result<std::vector<Connector>>> list_all();
  /// Returns a connector; `not_found` if the account has none with this id.
  Task<Result<Connector>> find(AccountId account, ConnectorId id);
  /// Changes a connector. `not_found` if the account has none with this id; `exists` if the new
  /// name is taken; kConflict if `replaced_settings` or `replaced_secret` are not stored.
  Task<Result<Connector>> set(AccountId account, ConnectorId id, ConnectorChange change);
  /// Removes a connector, but no files; `not_found` if the account has none with this id.
  Task<Result<void>> remove(AccountId account, ConnectorId id, std::optional<Asker> asker = {});

 private:
  Database& database_;
};

}  // namespace coffer::catalog
