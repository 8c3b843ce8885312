#pragma once

#include "base/error.h"
#include "catalog/accounts.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// Makes an account with an empty ledger; `exists` if the name is taken. In a job that writes.
Result<Account> insert_account(soci::session& sql, const NewAccount& account);

}  // namespace coffer::catalog
