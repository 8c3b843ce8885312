#pragma once

#include <string>

#include "base/error.h"
#include "catalog/accounts.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// Makes an account with an empty ledger; `exists` if the name is taken. In a job that writes.
Result<Account> insert_account(soci::session& sql, const NewAccount& account);

/// The name of an account; empty where there is none.
std::string name_of(soci::session& sql, AccountId account);

}  // namespace coffer::catalog
