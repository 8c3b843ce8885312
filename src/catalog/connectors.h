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

/// The error of a change whose `replaced_secret` is not the stored secret any more.
extern const Error kConflict;

/// A change of a connector; absent fields stay.
struct ConnectorChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> target;
  std::optional<std::string> settings;
  std::optional<std::string> sealed_secret;
  std::optional<bool> read_only;
  /// kConflict unless this is the stored sealed secret, so that concurrent changes do not undo each
  /// other.
  std::optional<std::string> replaced_secret;
  /// True if the settings name another place: the same transaction revokes the keys limited to the
  /// connector or to a folder in it.
  bool target_changed = false;
  std::optional<Asker> asker = {};
};

/// The connectors in the catalog. Safe from any thread. Changes take effect with the next request,
/// in every process that uses the catalog. Names compare by their bytes.
class Connectors {
 public:
  explicit Connectors(Database& database) : database_(database) {}

  /// `exists` if the account has a connector of this name, `not_found` for an unknown account.
  Task<Result<Connector>> create(NewConnector connector);
  /// Returns the account's connectors, by name.
  Task<Result<std::vector<Connector>>> list(AccountId account);
  /// Returns the connectors of all accounts, by name, then by account.
  Task<Result<std::vector<Connector>>> list_all();
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<Connector>> find(AccountId account, ConnectorId id);
  /// `not_found` likewise; kConflict for another `replaced_secret`; `exists` if the name is taken.
  Task<Result<Connector>> set(AccountId account, ConnectorId id, ConnectorChange change);
  /// `not_found` likewise. The files on the server stay.
  Task<Result<void>> remove(AccountId account, ConnectorId id, std::optional<Asker> asker = {});

 private:
  Database& database_;
};

}  // namespace coffer::catalog
