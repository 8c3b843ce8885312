#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/path.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

/// A range of accounts: those with the ids `first` to `last`.
struct Holders {
  long long first = 0;
  long long last = 0;
};
/// Returns the accounts whose keys `folder` can limit: all in a share, otherwise only `account`.
Holders holders_of(AccountId account, const Path& folder);

/// Returns an SQL condition that is true if the path in the column is a certain folder or lies
/// below it. The statement's parameter `number` is that folder's path; the next is
/// `text_below(folder)`.
std::string within_of(std::string_view column, int number);
/// Returns the text with which each path below the folder begins.
std::string text_below(const Path& folder);

/// Deletes the keys of `holders_of(account, folder)` with the folder or one below it as scope, and
/// those that are to get such a scope at the end of a change in progress.
/// Call it in a transaction that has bumped the generation `auth`.
void erase_scoped(sql::Connection& sql, AccountId account, const Path& folder);

}  // namespace coffer::catalog
