#include "catalog/second_factors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "sql/table.h"

namespace coffer::sql {

/// For `columns` and `read` only.
template <>
struct Table<catalog::Totp> {
  static constexpr std::string_view kName = "totp";
  static constexpr auto kColumns =
      std::tuple{Column{"sealed_secret", &catalog::Totp::sealed_secret},
                 Column{"confirmed_at", &catalog::Totp::confirmed_at}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

std::optional<Totp> select_totp(sql::Connection& sql, AccountId account) {
  static const std::string kText =
      "SELECT " + sql::columns<Totp>() + " FROM totp WHERE account_id = $1";
  return sql::select_first<Totp>(sql, kText, account);
}

bool use(sql::Connection& sql, AccountId account, const TotpStep& step) {
  return sql.change(
             "UPDATE totp SET last_step = $1 WHERE account_id = $2 AND last_step < $1 AND "
             "confirmed_at > 0",
             step.number, account) == 1;
}

bool use(sql::Connection& sql, AccountId account, const SecretHash& code) {
  return sql.change("DELETE FROM recovery_codes WHERE account_id = $1 AND hash = $2", account,
                    to_hex(code)) == 1;
}

/// A counter that goes back is noted, and not refused: it may have been set back by a repair.
bool use(sql::Connection& sql, AccountId account, const UsedPasskey& passkey) {
  const auto row = sql.first("SELECT counter, name FROM passkeys WHERE id = $1 AND account_id = $2",
                             passkey.id, account);
  if (!row) return false;
  const auto last = row->get<std::int64_t>(0);
  const bool counts = last != 0 || passkey.counter != 0;
  sql.run(
      "UPDATE passkeys SET counter = $1, used_at = $2, backed_up = $3 WHERE id = $4 AND "
      "account_id = $5",
      std::max(last, passkey.counter), now(), passkey.is_backed_up, passkey.id, account);
  if (!counts || passkey.counter > last) return true;
  sql.run("UPDATE passkeys SET counter_fell_at = $1 WHERE id = $2", now(), passkey.id);
  note(sql, AuditKind::passkey_counter_fell, {}, name_of(sql, account),
       fmt::format("{}: {} after {}", row->get<std::string>(1), passkey.counter, last));
  return true;
}

}  // namespace

std::string second_factor_condition(std::string_view account) {
  return fmt::format(
      "(EXISTS (SELECT 1 FROM totp WHERE account_id = {0} AND confirmed_at > 0) OR "
      "EXISTS (SELECT 1 FROM passkeys WHERE account_id = {0}))",
      account);
}

bool has_second_factor(sql::Connection& sql, AccountId account) {
  static const std::string kText =
      "SELECT count(*) FROM accounts WHERE id = $1 AND " + second_factor_condition("accounts.id");
  return sql.only<std::int64_t>(kText, account) > 0;
}

void store_recovery_codes(sql::Connection& sql, AccountId account,
                          const std::vector<SecretHash>& codes) {
  sql.run("DELETE FROM recovery_codes WHERE account_id = $1", account);
  for (const SecretHash& code : codes) {
    sql.run("INSERT INTO recovery_codes (account_id, hash) VALUES ($1, $2)", account, to_hex(code));
  }
}

void drop_idle_recovery_codes(sql::Connection& sql, AccountId account) {
  if (has_second_factor(sql, account)) return;
  sql.run("DELETE FROM recovery_codes WHERE account_id = $1", account);
}

Result<void> use_factor(sql::Connection& sql, AccountId account,
                        const std::optional<UsedFactor>& factor) {
  const bool is_on = has_second_factor(sql, account);
  if (is_on != factor.has_value()) {
    return fail(ErrorCode::unauthenticated, "The account was changed meanwhile: sign in again.");
  }
  if (!is_on) return {};
  const bool is_used =
      std::visit([&](const auto& which) { return use(sql, account, which); }, *factor);
  if (is_used) return {};
  if (std::holds_alternative<UsedPasskey>(*factor)) {
    return fail(ErrorCode::unauthenticated, "The passkey was removed from its account.");
  }
  return fail(ErrorCode::unauthenticated,
              "The code is wrong, or was used already. An authenticator shows the next one within "
              "30 seconds.");
}

Task<Result<SecondFactor>> SecondFactors::find(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<SecondFactor> {
    SecondFactor found;
    found.totp = select_totp(sql, account);
    found.passkeys = static_cast<std::size_t>(
        sql.only<std::int64_t>("SELECT count(*) FROM passkeys WHERE account_id = $1", account));
    found.recovery_codes = static_cast<std::size_t>(sql.only<std::int64_t>(
        "SELECT count(*) FROM recovery_codes WHERE account_id = $1", account));
    return found;
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::int64_t>> SecondFactors::count_totp() {
  auto job = [](sql::Connection& sql) -> Result<std::int64_t> {
    return sql.only<std::int64_t>("SELECT count(*) FROM totp WHERE confirmed_at > 0");
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<std::set<AccountId>>> SecondFactors::accounts() {
  auto job = [](sql::Connection& sql) -> Result<std::set<AccountId>> {
    std::set<AccountId> all;
    static const std::string kText =
        "SELECT id FROM accounts WHERE " + second_factor_condition("accounts.id");
    for (const sql::Row& row : sql.query(kText)) {
      all.insert(row.get<AccountId>(0));
    }
    return all;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<void>> SecondFactors::begin_totp(AccountId account, std::string sealed_secret,
                                             std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    if (const auto actor = check(sql, asker); !actor) return failure_of(actor);
    const auto stored = sql.change(
        "INSERT INTO totp (account_id, sealed_secret, last_step, confirmed_at) VALUES ($1, $2, 0, "
        "0) ON CONFLICT (account_id) DO UPDATE SET sealed_secret = excluded.sealed_secret WHERE "
        "totp.confirmed_at = 0",
        account, sealed_secret);
    if (stored == 1) return {};
    return fail(ErrorCode::exists, "The account has an authenticator already: remove it first.");
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> SecondFactors::confirm_totp(AccountId account, std::string sealed_secret,
                                               TotpStep step, std::vector<SecretHash> codes,
                                               std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto confirmed = sql.change(
        "UPDATE totp SET confirmed_at = $1, last_step = $2 WHERE account_id = $3 AND "
        "sealed_secret = $4 AND confirmed_at = 0",
        now(), step.number, account, sealed_secret);
    if (confirmed == 0) {
      return fail(ErrorCode::changed, "The authenticator was set up anew: scan its code again.");
    }
    store_recovery_codes(sql, account, codes);
    note(sql, AuditKind::second_factor_added, actor, name_of(sql, account));
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> SecondFactors::replace_codes(AccountId account, std::vector<SecretHash> codes,
                                                std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    if (!has_second_factor(sql, account)) {
      return fail(ErrorCode::changed,
                  "The account has neither authenticator nor passkey: set one up first.");
    }
    store_recovery_codes(sql, account, codes);
    note(sql, AuditKind::recovery_codes_made, actor, name_of(sql, account));
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> SecondFactors::remove_totp(AccountId account, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    if (sql.change("DELETE FROM totp WHERE account_id = $1", account) == 0) {
      return fail(ErrorCode::not_found, "The account has no authenticator.");
    }
    drop_idle_recovery_codes(sql, account);
    note(sql, AuditKind::second_factor_removed, actor, name_of(sql, account));
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> SecondFactors::remove(AccountId account, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto removed = sql.change("DELETE FROM totp WHERE account_id = $1", account) +
                         sql.change("DELETE FROM passkeys WHERE account_id = $1", account);
    sql.run("DELETE FROM recovery_codes WHERE account_id = $1", account);
    if (removed == 0) {
      return fail(ErrorCode::not_found, "The account has neither authenticator nor passkey.");
    }
    note(sql, AuditKind::second_factor_removed, actor, name_of(sql, account));
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

}  // namespace coffer::catalog
