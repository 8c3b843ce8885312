#include "catalog/connectors.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <algorithm>
#include <tuple>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/bin.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/mount_paths.h"
#include "catalog/mount_rows.h"
#include "catalog/row_limits.h"
#include "catalog/scoped_keys.h"

namespace coffer::catalog {

const Error kConflict = {ErrorCode::conflict,
                         "Somebody else changes this connector at the same time: try again."};

namespace {

std::unexpected<Error> no_such_connector() {
  return fail(ErrorCode::not_found, "There is no such connector.");
}

Result<Connector> select_by_id(soci::session& sql, AccountId account, const ConnectorId& id) {
  soci::row row;
  sql << "SELECT " << kConnectorColumns
      << " FROM connectors c WHERE c.id = :id AND c.account_id = :account",
      soci::use(id.value, "id"), soci::use(account.value, "account"), soci::into(row);
  if (!sql.got_data()) return no_such_connector();
  return connector_from(row);
}

bool is_taken(soci::session& sql, const Connector& connector) {
  long long count = 0;
  sql << "SELECT count(*) FROM connectors WHERE account_id = :account AND name = :name AND "
         "id <> :id",
      soci::use(connector.account.value, "account"), soci::use(connector.name, "name"),
      soci::use(connector.id.value, "id"), soci::into(count);
  return count > 0;
}

// Call it in a transaction that bumped the generation, so that no other changes connectors.
Result<Connector> store(soci::session& sql, Connector connector) {
  if (is_taken(sql, connector)) {
    return fail(ErrorCode::exists, "A connector with this name exists already.");
  }
  const long long read_only = connector.read_only ? 1 : 0;
  const long long created_at = to_column(connector.created_at);
  const std::string kind(word_of(connector.kind));
  const auto changed = changed_rows(
      (sql.prepare << "INSERT INTO connectors (id, account_id, kind, name, description, target, "
                      "settings, sealed_secret, read_only, created_at) SELECT :id, id, :kind, "
                      ":name, :description, :target, :settings, :sealed_secret, :read_only, "
                      ":created_at FROM accounts WHERE id = :account ON CONFLICT (id) DO UPDATE "
                      "SET name = excluded.name, description = excluded.description, target = "
                      "excluded.target, settings = excluded.settings, sealed_secret = "
                      "excluded.sealed_secret, read_only = excluded.read_only",
       soci::use(connector.id.value, "id"), soci::use(kind, "kind"),
       soci::use(connector.name, "name"), soci::use(connector.description, "description"),
       soci::use(connector.target, "target"), soci::use(connector.settings, "settings"),
       soci::use(connector.sealed_secret, "sealed_secret"), soci::use(read_only, "read_only"),
       soci::use(created_at, "created_at"), soci::use(connector.account.value, "account")));
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
std::string details_of(soci::session& sql, const Connector& connector) {
  return fmt::format("account={}, {}", name_of(sql, connector.account), connector.target);
}

}  // namespace

Task<Result<Connector>> Connectors::create(NewConnector connector) {
  auto job = [&](soci::session& sql) -> Result<Connector> {
    TRY(const auto actor, begin_change(sql, connector.asker));
    TRY_VOID(check_rows(sql, "connectors WHERE account_id = :account", connector.account,
                        kMostConnectors, "connectors: remove some"));
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
  auto job = [account](soci::session& sql) -> Result<std::vector<Connector>> {
    return select_connectors_of(sql, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<Connector>>> Connectors::list_all() {
  auto job = [](soci::session& sql) -> Result<std::vector<Connector>> {
    auto connectors = select_all(
        (sql.prepare << "SELECT " << kConnectorColumns << " FROM connectors c"), connector_from);
    std::ranges::sort(connectors, {}, [](const Connector& connector) {
      return std::tie(connector.name, connector.account);
    });
    return connectors;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<Connector>> Connectors::find(AccountId account, ConnectorId id) {
  auto job = [&](soci::session& sql) { return select_by_id(sql, account, id); };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<Connector>> Connectors::set(AccountId account, ConnectorId id, ConnectorChange change) {
  auto job = [&](soci::session& sql) -> Result<Connector> {
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
  auto job = [&](soci::session& sql) -> Result<void> {
    TRY(const auto actor, begin_change(sql, asker));
    TRY(const auto connector, select_by_id(sql, account, id));
    const std::string details = details_of(sql, connector);
    sql << "DELETE FROM connectors WHERE id = :id AND account_id = :account",
        soci::use(id.value, "id"), soci::use(account.value, "account");
    drop_bin_of(sql, top_of(id));
    note(sql, AuditKind::connector_removed, actor, connector.name, details);
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

}  // namespace coffer::catalog
