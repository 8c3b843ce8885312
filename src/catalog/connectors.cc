#include "catalog/connectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/bin.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/mount_paths.h"
#include "catalog/mount_rows.h"
#include "catalog/row_limits.h"
#include "catalog/scoped_keys.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {

const Error kConflict = {ErrorCode::conflict,
                         "Somebody else changes this connector at the same time: try again."};

namespace {

std::unexpected<Error> no_such_connector() {
  return fail(ErrorCode::not_found, "There is no such connector.");
}

Result<Connector> select_by_id(sql::Connection& sql, AccountId account, const ConnectorId& id) {
  static const std::string kText = "SELECT " + sql::columns<Connector>("c.") +
                                   " FROM connectors c WHERE c.id = $1 AND c.account_id = $2";
  auto connector = sql::select_first<Connector>(sql, kText, id, account);
  if (!connector) return no_such_connector();
  return *std::move(connector);
}

bool is_taken(sql::Connection& sql, const Connector& connector) {
  const auto count = sql.only<std::int64_t>(
      "SELECT count(*) FROM connectors WHERE account_id = $1 AND name = $2 AND id <> $3",
      connector.account, connector.name, connector.id);
  return count > 0;
}

// Call it in a transaction that bumped the generation, so that no other changes connectors.
Result<Connector> store(sql::Connection& sql, Connector connector) {
  if (is_taken(sql, connector)) {
    return fail(ErrorCode::exists, "A connector with this name exists already.");
  }
  const auto changed = sql.change(
      "INSERT INTO connectors (id, account_id, kind, name, description, target, settings, "
      "sealed_secret, read_only, created_at) SELECT $1, id, $2, $3, $4, $5, $6, $7, $8, $9 FROM "
      "accounts WHERE id = $10 ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = "
      "excluded.description, target = excluded.target, settings = excluded.settings, "
      "sealed_secret = excluded.sealed_secret, read_only = excluded.read_only",
      connector.id, connector.kind, connector.name, connector.description, connector.target,
      connector.settings, connector.sealed_secret, connector.read_only, connector.created_at,
      connector.account);
  if (changed == 0) return no_such_account();
  return connector;
}

void apply(ConnectorChange& change, Connector& connector) {
  if (change.name) connector.name = std::move(*change.name);
  if (change.description) connector.description = std::move(*change.description);
  if (change.target) connector.target = std::move(*change.target);
  if (change.settings) connector.settings = std::move(*change.settings);
  if (change.sealed_secret) connector.sealed_secret = std::move(*change.sealed_secret);
  if (change.read_only) connector.read_only = *change.read_only;
}

/// Describes a connector for the audit log: its account and target.
std::string details_of(sql::Connection& sql, const Connector& connector) {
  return fmt::format("account={}, {}", name_of(sql, connector.account), connector.target);
}

}  // namespace

Task<Result<Connector>> Connectors::create(NewConnector connector) {
  auto job = [&](sql::Connection& sql) -> Result<Connector> {
    TRY(const auto actor, begin_change(sql, connector.asker));
    TRY_VOID(check_rows(sql, "connectors WHERE account_id = $1", connector.account, kMostConnectors,
                        "connectors: remove some"));
    auto made = store(
        sql, Connector{ConnectorId{random_hex(16)}, connector.account, connector.kind,
                       connector.name, connector.description, connector.target, connector.settings,
                       connector.sealed_secret, connector.read_only, now()});
    if (made) note(sql, AuditKind::connector_created, actor, made->name, details_of(sql, *made));
    return made;
  };
  co_return co_await database_.run(Lane::write, connector.account, std::move(job));
}

Task<Result<std::vector<Connector>>> Connectors::list(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<std::vector<Connector>> {
    return select_connectors_of(sql, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<Connector>>> Connectors::list_all() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<Connector>> {
    auto connectors = sql::select<Connector>(
        sql, "SELECT " + sql::columns<Connector>("c.") + " FROM connectors c");
    std::ranges::sort(connectors, {}, [](const Connector& connector) {
      return std::tie(connector.name, connector.account);
    });
    return connectors;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<Connector>> Connectors::find(AccountId account, ConnectorId id) {
  auto job = [&](sql::Connection& sql) { return select_by_id(sql, account, id); };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<Connector>> Connectors::set(AccountId account, ConnectorId id, ConnectorChange change) {
  auto job = [&](sql::Connection& sql) -> Result<Connector> {
    if (change.target_changed && !change.asker) bump(sql, Generation::auth);
    TRY(const auto actor, begin_change(sql, change.asker));
    TRY(auto connector, select_by_id(sql, account, id));
    const bool is_outrun =
        change.replaced_secret.value_or(connector.sealed_secret) != connector.sealed_secret ||
        change.replaced_settings.value_or(connector.settings) != connector.settings;
    if (is_outrun) return std::unexpected(kConflict);
    if (change.target_changed) erase_scoped(sql, account, top_of(id));
    const bool is_renewed_token = !change.asker && change.replaced_secret && !change.settings;
    apply(change, connector);
    auto stored = store(sql, std::move(connector));
    if (stored && !is_renewed_token) {
      note(sql, AuditKind::connector_changed, actor, stored->name, details_of(sql, *stored));
    }
    return stored;
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> Connectors::remove(AccountId account, ConnectorId id,
                                      std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(const auto actor, begin_change(sql, asker));
    TRY(const auto connector, select_by_id(sql, account, id));
    const std::string details = details_of(sql, connector);
    sql.run("DELETE FROM connectors WHERE id = $1 AND account_id = $2", id, account);
    drop_bin_of(sql, top_of(id));
    note(sql, AuditKind::connector_removed, actor, connector.name, details);
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

}  // namespace coffer::catalog
