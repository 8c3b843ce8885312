#include "catalog/scoped_keys.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "catalog/mount_paths.h"
#include "sql/connection.h"

namespace coffer::catalog {

Holders holders_of(AccountId account, const Path& folder) {
  using Limits = std::numeric_limits<long long>;
  if (is_in_share(folder)) return {Limits::min(), Limits::max()};
  return {account.value, account.value};
}

// It uses substr, since LIKE has wildcards and ignores case on SQLite.
std::string within_of(std::string_view column, int number) {
  return fmt::format("({0} = ${1} OR substr({0}, 1, length(CAST(${2} AS TEXT))) = ${2})", column,
                     number, number + 1);
}

// The root is the empty prefix, since no scope begins with a slash.
std::string text_below(const Path& folder) {
  return folder.is_root() ? "" : folder.str() + "/";
}

void erase_scoped(sql::Connection& sql, AccountId account, const Path& folder) {
  const Holders holders = holders_of(account, folder);
  const std::string below = text_below(folder);
  sql.run("DELETE FROM api_keys WHERE account_id BETWEEN $1 AND $2 AND " + within_of("scope", 3),
          holders.first, holders.last, folder, below);
  sql.run("DELETE FROM api_keys WHERE change_id IN (SELECT id FROM scope_changes WHERE " +
              within_of("to_path", 1) + ")",
          folder, below);
}

}  // namespace coffer::catalog
