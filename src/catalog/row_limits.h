#pragma once

#include <cstddef>
#include <string_view>

#include "base/error.h"
#include "base/id.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

// The most rows of an account, unless a comment says otherwise. docs/limits.md has a line for each
// table of the catalog.
inline constexpr std::size_t kMostConnectors = 100;
inline constexpr std::size_t kMostBinItems = 200'000;
inline constexpr std::size_t kMostVersions = 50'000;  ///< Of own files in a store of objects.
inline constexpr std::size_t kMostNames =
    2'000'000;  ///< Own files and folders in a store of objects.
inline constexpr std::size_t kMostParkedItems = 1'000;
inline constexpr std::size_t kMostDoneUploads = 1'000;       ///< Own ones, and as many of guests.
inline constexpr std::size_t kMostEndedTasks = 200;          ///< Tasks::list shows as many.
inline constexpr std::size_t kMostLeftTasks = 1'000;         ///< Hidden ones that left something.
inline constexpr std::size_t kMostAuditEvents = 1'000'000;   ///< Of all accounts.
inline constexpr std::size_t kMostAuditBytes = 1'024;        ///< Of one text of an event.
inline constexpr std::size_t kMostSignInSubjects = 100'000;  ///< Of all accounts.
inline constexpr std::size_t kMostLocks = 1'000;
inline constexpr std::size_t kMostLocksOfItem = 32;  ///< Shared ones, of all accounts.
inline constexpr std::size_t kMostIdentities = 20;
inline constexpr std::size_t kMostPersonShares = 1'000;  ///< That an account has given.
inline constexpr std::size_t kMostReceivers = 100;       ///< Accounts and groups of one share.
inline constexpr std::size_t kMostGroups = 1'000;        ///< Of all accounts.
inline constexpr std::size_t kMostMembers = 10'000;      ///< Of one group.
inline constexpr std::size_t kMostPasskeys = 20;
inline constexpr std::size_t kMostSignInFlows = 100'000;   ///< Of all persons.
inline constexpr std::size_t kMostLogoutTokens = 100'000;  ///< Of all persons.
inline constexpr std::size_t kMostEndedRuns = 10'000;      ///< Of all servers.

/// `rate_limited` if the account has `most` rows or more. `from_where` names them, as in "keys
/// WHERE account_id = $1". The message says "There are 100 " and `what` and " that nobody
/// needs any more.". Call it in the transaction that inserts.
Result<void> check_rows(sql::Connection& sql, std::string_view from_where, AccountId account,
                        std::size_t most, std::string_view what);

/// Deletes the first rows of a table, in the order of the columns `order`, until at most `most` are
/// left. `key` is the column of the table's primary key.
void drop_beyond(sql::Connection& sql, std::string_view table, std::string_view key,
                 std::string_view order, std::size_t most);

}  // namespace coffer::catalog
