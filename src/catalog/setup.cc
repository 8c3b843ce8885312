#include "catalog/setup.h"

#include "base/clock.h"
#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/runs.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

bool has_accounts(sql::Connection& sql) {
  return sql.only<std::int64_t>("SELECT count(*) FROM accounts") > 0;
}

bool counts(sql::Connection& sql, const SecretHash& token) {
  return sql.only<std::int64_t>("SELECT count(*) FROM setup_token WHERE hash = $1", to_hex(token)) >
         0;
}

/// `forbidden` if the token is not valid or there is an account already.
Result<void> check_token(sql::Connection& sql, const SecretHash& token) {
  if (has_accounts(sql)) {
    return fail(ErrorCode::forbidden, "Set-up is closed: there is an account already.");
  }
  if (counts(sql, token)) return {};
  return fail(ErrorCode::forbidden,
              "This set-up link does not count: use the one that the server printed when it "
              "started last.");
}

}  // namespace

Task<Result<bool>> Setup::is_open() {
  auto job = [](sql::Connection& sql) -> Result<bool> { return !has_accounts(sql); };
  co_return co_await database_.run(Lane::read, Turn::of("set-up"), std::move(job));
}

Task<Result<bool>> Setup::offer(SecretHash token) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    lock(sql, Generation::auth);
    const bool is_closed = has_accounts(sql);
    sql.run("DELETE FROM setup_token WHERE $2 = 1 OR " + std::string(kIsOfNoOtherRun),
            database_.node(), is_closed);
    if (is_closed) return false;
    return sql.change(
               "INSERT INTO setup_token (id, hash, made_at, run) VALUES (1, $1, $2, $3) "
               "ON CONFLICT (id) DO NOTHING",
               to_hex(token), now(), database_.node()) > 0;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> Setup::check(SecretHash token) {
  auto job = [&](sql::Connection& sql) { return check_token(sql, token); };
  co_return co_await database_.run(Lane::read, Turn::of("set-up"), std::move(job));
}

Task<Result<Account>> Setup::complete(SecretHash token, NewAccount account) {
  auto job = [&](sql::Connection& sql) -> Result<Account> {
    lock(sql, Generation::auth);
    TRY_VOID(check_token(sql, token));
    sql.run("DELETE FROM setup_token");
    auto made = insert_account(sql, account);
    if (made) note(sql, AuditKind::account_created, Actor(), made->name, "by the set-up link");
    return made;
  };
  co_return co_await database_.run(Lane::write, Turn::of("set-up"), std::move(job));
}

}  // namespace coffer::catalog
