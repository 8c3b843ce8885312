#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/path.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// Whose keys are concerned by what happens to a folder: everyone's for a share's folder, since it
/// is the same for all, and else one account's. A range of ids, as one statement serves both then.
struct Holders {
  long long first = 0;
  long long last = 0;
};
Holders holders_of(AccountId account, const Path& folder);

/// The condition that a key's scope is a folder or lies below it. It takes the parameters :scope,
/// the folder's text, and :below, its `text_below`.
// Compared by substr: LIKE has wildcards, and SQLite's ignores case.
inline constexpr std::string_view kWithin =
    "(scope = :scope OR substr(scope, 1, length(CAST(:below AS TEXT))) = :below)";
std::string text_below(const Path& folder);

/// True if a key of the holders is scoped to the folder or below it.
bool any_scoped(soci::session& sql, AccountId account, const Path& folder);
/// Deletes these keys. In a transaction that bumped the generation before.
void erase_scoped(soci::session& sql, AccountId account, const Path& folder);

}  // namespace coffer::catalog
