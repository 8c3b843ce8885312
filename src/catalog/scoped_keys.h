#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/path.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// The accounts whose keys can be limited to a folder, as a range of ids from `first` to `last`.
struct Holders {
  long long first = 0;
  long long last = 0;
};
/// Returns all accounts for a folder in a share, otherwise `account` alone.
Holders holders_of(AccountId account, const Path& folder);

/// An SQL condition: the key's scope is a certain folder or a folder below it. The parameter :scope
/// is the folder's path as text; the parameter :below is `text_below(folder)`.
// It uses substr, since LIKE has wildcards and ignores case on SQLite.
inline constexpr std::string_view kWithin =
    "(scope = :scope OR substr(scope, 1, length(CAST(:below AS TEXT))) = :below)";
/// Returns the prefix of the texts of all paths below the folder.
std::string text_below(const Path& folder);

/// Returns true if a key of `holders_of(account, folder)` is limited to the folder or below it.
bool any_scoped(soci::session& sql, AccountId account, const Path& folder);
/// Deletes all keys of `holders_of(account, folder)` that are limited to the folder or below it.
/// Call it in a transaction that has bumped the generation `auth`.
void erase_scoped(soci::session& sql, AccountId account, const Path& folder);

}  // namespace coffer::catalog
