#include "catalog/account_rows.h"

#include <soci/soci.h>

#include <span>
#include <stdexcept>

#include "base/random.h"
#include "catalog/columns.h"

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
std::string random_home(soci::session& sql, const std::string& name) {
  for (;;) {
    std::string home = name + '-' + random_hex(4);
    long long uses = 0;
    sql << "SELECT (SELECT count(*) FROM accounts WHERE home = :home) + "
           "(SELECT count(*) FROM removed_homes WHERE home = :removed)",
        soci::use(home, "home"), soci::use(home, "removed"), soci::into(uses);
    if (uses == 0) return home;
  }
}

Result<void> insert(soci::session& sql, const Account& account) {
  const long long quota = to_column(account.quota_bytes);
  const long long created_at = to_column(account.created_at);
  const std::string role(word_of(account.role));
  const auto changed = changed_rows(
      (sql.prepare
           << "INSERT INTO accounts (id, name, display_name, role, disabled, quota_bytes, "
              "password_hash, created_at, home) VALUES (:id, :name, :display_name, :role, 0, "
              ":quota, :password_hash, :created_at, :home) ON CONFLICT (name) DO NOTHING",
       soci::use(account.id.value, "id"), soci::use(account.name, "name"),
       soci::use(account.display_name, "display_name"), soci::use(role, "role"),
       soci::use(quota, "quota"), soci::use(account.password_hash, "password_hash"),
       soci::use(created_at, "created_at"), soci::use(account.home, "home")));
  if (changed == 0) {
    return fail(ErrorCode::exists, "An account with this name exists already.");
  }
  sql << "INSERT INTO quota_usage (account_id, used_bytes, reserved_bytes, version) "
         "VALUES (:id, 0, 0, 1)",
      soci::use(account.id.value, "id");
  return {};
}

}  // namespace

constinit const std::string_view kAccountColumns =
    "a.id, a.name, a.display_name, a.role, a.disabled, a.quota_bytes, a.password_hash, "
    "a.created_at, a.home, a.preferences";

Account account_from(const soci::row& row, std::size_t first) {
  Account account;
  account.id.value = row.get<long long>(first);
  account.name = row.get<std::string>(first + 1);
  account.display_name = row.get<std::string>(first + 2);
  const auto role = enum_from<Role>(row.get<std::string>(first + 3));
  if (!role) throw std::runtime_error("The catalog holds an unknown role.");
  account.role = *role;
  account.disabled = row.get<long long>(first + 4) != 0;
  account.quota_bytes = static_cast<std::uint64_t>(row.get<long long>(first + 5));
  account.password_hash = row.get<std::string>(first + 6);
  account.created_at = timestamp_from(row.get<long long>(first + 7));
  account.home = row.get<std::string>(first + 8);
  account.preferences = row.get<std::string>(first + 9);
  return account;
}

Result<Account> insert_account(soci::session& sql, const NewAccount& account) {
  Account made{random_account_id(),   account.name, account.display_name,
               account.role,          false,        account.quota_bytes,
               account.password_hash, now(),        random_home(sql, account.name)};
  TRY_VOID(insert(sql, made));
  return made;
}

std::string name_of(soci::session& sql, AccountId account) {
  std::string name;
  sql << "SELECT name FROM accounts WHERE id = :id", soci::use(account.value, "id"),
      soci::into(name);
  return sql.got_data() ? name : std::string();
}

}  // namespace coffer::catalog
