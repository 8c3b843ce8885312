#include "catalog/identities.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/row_limits.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

/// A column of `identities` that is part of the name.
struct IdentityNameColumn {
  std::string_view name;
  std::string IdentityName::* member;

  void read_into(Identity& identity, const sql::Value& value) const {
    identity.name.*member = sql::text_of(value);
  }
  sql::Value value_in(const Identity& identity) const {
    return sql::to_value(identity.name.*member);
  }
};

}  // namespace
}  // namespace coffer::catalog

namespace coffer::sql {

template <>
struct Table<catalog::Identity> {
  using Identity = catalog::Identity;
  static constexpr std::string_view kName = "identities";
  static constexpr auto kColumns =
      std::tuple{Column{"id", &Identity::id},
                 catalog::IdentityNameColumn{"issuer", &catalog::IdentityName::issuer},
                 catalog::IdentityNameColumn{"subject", &catalog::IdentityName::subject},
                 Column{"account_id", &Identity::account},
                 Column{"made_at", &Identity::made_at},
                 Column{"last_at", &Identity::last_at}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

constexpr std::size_t kIdBytes = 8;

const std::string kSelectIdentities = "SELECT " + sql::columns<Identity>() + " FROM identities ";

std::optional<Identity> select_identity(sql::Connection& sql, const IdentityName& name) {
  return sql::select_first<Identity>(sql, kSelectIdentities + "WHERE issuer = $1 AND subject = $2",
                                     name.issuer, name.subject);
}

std::optional<Account> select_account(sql::Connection& sql, AccountId id) {
  return sql::select_first<Account>(
      sql, "SELECT " + sql::columns<Account>() + " FROM accounts WHERE id = $1", id);
}

void insert_identity(sql::Connection& sql, AccountId account, const IdentityName& name) {
  sql::insert(sql, Identity{random_hex(kIdBytes), name, account, now(), now()});
}

/// Returns true if somebody could sign in to the account without the identity.
bool has_another_way(sql::Connection& sql, AccountId account, const std::string& id) {
  const auto ways = sql.only<std::int64_t>(
      "SELECT (SELECT count(*) FROM accounts WHERE id = $1 AND password_hash <> '') + "
      "(SELECT count(*) FROM passkeys WHERE account_id = $1) + "
      "(SELECT count(*) FROM identities WHERE account_id = $1 AND id <> $2)",
      account, id);
  return ways > 0;
}

}  // namespace

Task<Result<std::optional<Account>>> Identities::sign_in(IdentityName name) {
  const Turn turn = Turn::of(name.subject);
  auto job = [&](sql::Connection& sql) -> Result<std::optional<Account>> {
    const auto identity = select_identity(sql, name);
    if (!identity) return std::nullopt;
    sql.run("UPDATE identities SET last_at = $1 WHERE id = $2", now(), identity->id);
    return select_account(sql, identity->account);
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<std::optional<Account>>> Identities::find(IdentityName name) {
  const Turn turn = Turn::of(name.subject);
  auto job = [&](sql::Connection& sql) -> Result<std::optional<Account>> {
    const auto identity = select_identity(sql, name);
    if (!identity) return std::nullopt;
    return select_account(sql, identity->account);
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<Account>> Identities::add_account(NewAccount account, IdentityName name,
                                              std::string address) {
  auto job = [&](sql::Connection& sql) -> Result<Account> {
    // Serialises this with other sign-ins of the same person, who is to get one account.
    lock(sql, Generation::auth);
    if (const auto known = select_identity(sql, name)) {
      auto owner = select_account(sql, known->account);
      if (owner) return *std::move(owner);
    }
    TRY(auto made, insert_account(sql, account));
    insert_identity(sql, made.id, name);
    const Actor actor{"", address};
    note(
        sql, AuditKind::account_created, actor, made.name,
        fmt::format("role={}, quota={}, by {}", word_of(made.role), made.quota_bytes, name.issuer));
    return made;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<void>> Identities::link(AccountId account, IdentityName name,
                                    std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto owner = select_account(sql, account);
    if (!owner) return no_such_account();
    const auto known = select_identity(sql, name);
    if (known && known->account == account) return {};
    if (known) {
      return fail(ErrorCode::exists, "This person signs in to another account already.");
    }
    TRY_VOID(check_rows(sql, "identities WHERE account_id = $1", account, kMostIdentities,
                        "linked sign-ins"));
    insert_identity(sql, account, name);
    note(sql, AuditKind::identity_linked, actor, owner->name, name.issuer);
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<std::vector<Identity>>> Identities::list(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<std::vector<Identity>> {
    return sql::select<Identity>(
        sql, kSelectIdentities + "WHERE account_id = $1 ORDER BY made_at, id", account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<void>> Identities::unlink(AccountId account, std::string id,
                                      std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto issuer = sql.value<std::string>(
        "SELECT issuer FROM identities WHERE id = $1 AND account_id = $2", id, account);
    if (!issuer) return fail(ErrorCode::not_found, "There is no such linked sign-in.");
    if (asker && !has_another_way(sql, account, id)) {
      return fail(ErrorCode::conflict,
                  "Nobody could sign in to the account any more: set a password first.");
    }
    sql.run("DELETE FROM identities WHERE id = $1", id);
    note(sql, AuditKind::identity_unlinked, actor, name_of(sql, account), *issuer);
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

}  // namespace coffer::catalog
