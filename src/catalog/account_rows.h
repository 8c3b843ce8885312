#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "catalog/account.h"

namespace soci {
class row;
class session;
}  // namespace soci

namespace coffer::catalog {

/// The columns of an account, in the order in which `account_from` reads them.
extern const std::string_view kAccountColumns;

/// Reads an account from a row whose column `first` is the first one of kAccountColumns. Throws if
/// the row has a value that the catalog never writes.
Account account_from(const soci::row& row, std::size_t first = 0);

/// Inserts an account, which uses nothing of its quota yet. `exists` if the name is taken. Call it
/// in a writing transaction.
Result<Account> insert_account(soci::session& sql, const NewAccount& account);

/// Returns the error for an unknown account.
inline std::unexpected<Error> no_such_account() {
  return fail(ErrorCode::not_found, "There is no such account.");
}

/// Returns the account's name; empty if there is no such account.
std::string name_of(soci::session& sql, AccountId account);

}  // namespace coffer::catalog
