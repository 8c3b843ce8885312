#include "catalog/account_rows.h"

#include <span>

#include "base/random.h"

namespace coffer::catalog {
namespace {

// Made by the program, since identity columns differ between databases. 52 bits stay exact in a
// JSON number.
AccountId random_account_id() {
  std::int64_t value = 0;
  fill_random(std::as_writable_bytes(std::span(&value, 1)));
  return AccountId{(value & ((std::int64_t{1} << 52) - 1)) + 1};
}

/// Makes a folder name that begins with the account's name, for people who look at the disk.
std::string random_home(sql::Connection& sql, const std::string& name) {
  for (;;) {
    std::string home = name + '-' + random_hex(4);
    const auto uses = sql.only<std::int64_t>(
        "SELECT (SELECT count(*) FROM accounts WHERE home = $1) + "
        "(SELECT count(*) FROM removed_homes WHERE home = $1)",
        home);
    if (uses == 0) return home;
  }
}

Result<void> insert(sql::Connection& sql, const Account& account) {
  if (sql::insert(sql, account, "ON CONFLICT (name) DO NOTHING") == 0) {
    return fail(ErrorCode::exists, "An account with this name exists already.");
  }
  sql.run(
      "INSERT INTO quota_usage (account_id, used_bytes, reserved_bytes, version) "
      "VALUES ($1, 0, 0, 1)",
      account.id);
  return {};
}

}  // namespace

Result<Account> insert_account(sql::Connection& sql, const NewAccount& account) {
  Account made{random_account_id(),   account.name, account.display_name,
               account.role,          false,        account.quota_bytes,
               account.password_hash, now(),        random_home(sql, account.name)};
  made.home_store = account.home_store;
  TRY_VOID(insert(sql, made));
  return made;
}

std::string name_of(sql::Connection& sql, AccountId account) {
  return sql.value<std::string>("SELECT name FROM accounts WHERE id = $1", account)
      .value_or(std::string());
}

}  // namespace coffer::catalog
