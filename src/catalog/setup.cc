#include "catalog/setup.h"

#include <soci/soci.h>

#include "base/clock.h"
#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/generation.h"

namespace coffer::catalog {
namespace {

bool has_accounts(soci::session& sql) {
  long long count = 0;
  sql << "SELECT count(*) FROM accounts", soci::into(count);
  return count > 0;
}

bool counts(soci::session& sql, const SecretHash& token) {
  const std::string hash = to_hex(token);
  long long count = 0;
  sql << "SELECT count(*) FROM setup_token WHERE hash = :hash", soci::use(hash, "hash"),
      soci::into(count);
  return count > 0;
}

/// `forbidden` if the token is not valid or there is an account already.
Result<void> check_token(soci::session& sql, const SecretHash& token) {
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
  auto job = [](soci::session& sql) -> Result<bool> { return !has_accounts(sql); };
  co_return co_await database_.run(Lane::read, Turn::of("set-up"), std::move(job));
}

Task<Result<bool>> Setup::offer(SecretHash token) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    bump(sql, Generation::auth);
    sql << "DELETE FROM setup_token";
    if (has_accounts(sql)) return false;
    const std::string hash = to_hex(token);
    const long long made_at = to_column(now());
    sql << "INSERT INTO setup_token (id, hash, made_at) VALUES (1, :hash, :at)",
        soci::use(hash, "hash"), soci::use(made_at, "at");
    return true;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> Setup::check(SecretHash token) {
  auto job = [&](soci::session& sql) { return check_token(sql, token); };
  co_return co_await database_.run(Lane::read, Turn::of("set-up"), std::move(job));
}

Task<Result<Account>> Setup::complete(SecretHash token, NewAccount account) {
  auto job = [&](soci::session& sql) -> Result<Account> {
    bump(sql, Generation::auth);
    TRY_VOID(check_token(sql, token));
    sql << "DELETE FROM setup_token";
    auto made = insert_account(sql, account);
    if (made) note(sql, AuditKind::account_created, Actor(), made->name, "by the set-up link");
    return made;
  };
  co_return co_await database_.run(Lane::write, Turn::of("set-up"), std::move(job));
}

}  // namespace coffer::catalog
