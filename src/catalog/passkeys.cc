#include "catalog/passkeys.h"

#include <tuple>
#include <utility>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/row_limits.h"
#include "catalog/second_factors.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::Passkey> {
  using Passkey = catalog::Passkey;
  static constexpr std::string_view kName = "passkeys";
  static constexpr auto kColumns = std::tuple{Column{"id", &Passkey::id},
                                              Column{"account_id", &Passkey::account},
                                              Column{"credential_id", &Passkey::credential_id},
                                              Column{"algorithm", &Passkey::algorithm},
                                              Column{"public_key", &Passkey::public_key},
                                              Column{"counter", &Passkey::counter},
                                              Column{"transports", &Passkey::transports},
                                              Column{"aaguid", &Passkey::aaguid},
                                              Column{"backed_up", &Passkey::is_backed_up},
                                              Column{"name", &Passkey::name},
                                              Column{"created_at", &Passkey::created_at},
                                              Column{"used_at", &Passkey::used_at},
                                              Column{"counter_fell_at", &Passkey::counter_fell_at}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

constexpr std::size_t kPasskeyIdBytes = 8;

std::unexpected<Error> no_such_passkey() {
  return fail(ErrorCode::not_found, "There is no such passkey.");
}

std::optional<std::string> passkey_name(sql::Connection& sql, AccountId account,
                                        const std::string& id) {
  return sql.value<std::string>("SELECT name FROM passkeys WHERE id = $1 AND account_id = $2", id,
                                account);
}

/// Returns true if somebody could sign in to the account without the passkey.
bool opens_without(sql::Connection& sql, AccountId account, const std::string& id) {
  const auto ways = sql.only<std::int64_t>(
      "SELECT (SELECT count(*) FROM accounts WHERE id = $1 AND password_hash <> '') + "
      "(SELECT count(*) FROM identities WHERE account_id = $1) + "
      "(SELECT count(*) FROM passkeys WHERE account_id = $1 AND id <> $2)",
      account, id);
  return ways > 0;
}

}  // namespace

Task<Result<AddedPasskey>> Passkeys::add(Passkey passkey, std::vector<SecretHash> codes,
                                         std::optional<Asker> asker) {
  const AccountId account = passkey.account;
  auto job = [&](sql::Connection& sql) -> Result<AddedPasskey> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    TRY_VOID(check_rows(sql, "passkeys WHERE account_id = $1", account, kMostPasskeys, "passkeys"));
    const bool is_first = !has_second_factor(sql, account);
    passkey.id = random_hex(kPasskeyIdBytes);
    passkey.created_at = passkey.used_at = now();
    if (sql::insert(sql, passkey, "ON CONFLICT DO NOTHING") == 0) {
      return fail(ErrorCode::exists, "This passkey opens an account already.");
    }
    if (is_first) store_recovery_codes(sql, account, codes);
    note(sql, AuditKind::passkey_added, actor, name_of(sql, account), passkey.name);
    return AddedPasskey{passkey, is_first};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<std::optional<PasskeyOwner>>> Passkeys::find(Turn turn, std::string credential_id) {
  auto job = [&](sql::Connection& sql) -> Result<std::optional<PasskeyOwner>> {
    static const std::string kText =
        "SELECT " + sql::columns<Passkey>("p.") + ", " + sql::columns<Account>("a.") +
        " FROM passkeys p JOIN accounts a ON a.id = p.account_id WHERE p.credential_id = $1";
    const auto row = sql.first(kText, credential_id);
    if (!row) return std::nullopt;
    return PasskeyOwner{sql::read<Passkey>(*row),
                        sql::read<Account>(*row, sql::kColumnCount<Passkey>)};
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<std::vector<Passkey>>> Passkeys::list(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<std::vector<Passkey>> {
    static const std::string kText = "SELECT " + sql::columns<Passkey>() +
                                     " FROM passkeys WHERE account_id = $1 ORDER BY created_at, id";
    return sql::select<Passkey>(sql, kText, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<void>> Passkeys::rename(AccountId account, std::string id, std::string name,
                                    std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    if (const auto actor = check(sql, asker); !actor) return failure_of(actor);
    const auto renamed = sql.change(
        "UPDATE passkeys SET name = $1 WHERE id = $2 AND account_id = $3", name, id, account);
    return renamed == 1 ? Result<void>() : no_such_passkey();
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> Passkeys::remove(AccountId account, std::string id, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto name = passkey_name(sql, account, id);
    if (!name) return no_such_passkey();
    if (!opens_without(sql, account, id)) {
      return fail(ErrorCode::conflict,
                  "Nobody could sign in to the account any more: set a password first.");
    }
    sql.run("DELETE FROM passkeys WHERE id = $1", id);
    drop_idle_recovery_codes(sql, account);
    note(sql, AuditKind::passkey_removed, actor, name_of(sql, account), *name);
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

}  // namespace coffer::catalog
