#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "base/error.h"
#include "catalog/account.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::Account> {
  using Account = catalog::Account;
  static constexpr std::string_view kName = "accounts";
  static constexpr auto kColumns = std::tuple{Column{"id", &Account::id},
                                              Column{"name", &Account::name},
                                              Column{"display_name", &Account::display_name},
                                              Column{"role", &Account::role},
                                              Column{"disabled", &Account::disabled},
                                              Column{"quota_bytes", &Account::quota_bytes},
                                              Column{"password_hash", &Account::password_hash},
                                              Column{"created_at", &Account::created_at},
                                              Column{"home", &Account::home},
                                              Column{"preferences", &Account::preferences},
                                              Column{"home_store", &Account::home_store}};
};

}  // namespace coffer::sql

namespace coffer::catalog {

/// Inserts an account, which uses nothing of its quota yet. `exists` if the name is taken. Call it
/// in a writing transaction.
Result<Account> insert_account(sql::Connection& sql, const NewAccount& account);

/// Returns the error for an unknown account.
inline std::unexpected<Error> no_such_account() {
  return fail(ErrorCode::not_found, "There is no such account.");
}

/// Returns the account's name; empty if there is no such account.
std::string name_of(sql::Connection& sql, AccountId account);

}  // namespace coffer::catalog
