#include "catalog/scoped_keys.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <limits>
#include <string>

#include "catalog/mount_paths.h"

namespace coffer::catalog {

Holders holders_of(AccountId account, const Path& folder) {
  using Limits = std::numeric_limits<long long>;
  if (is_in_share(folder)) return {Limits::min(), Limits::max()};
  return {account.value, account.value};
}

std::string within_of(std::string_view column) {
  return fmt::format("({0} = :scope OR substr({0}, 1, length(CAST(:below AS TEXT))) = :below)",
                     column);
}

// The root is the empty prefix, since no scope begins with a slash.
std::string text_below(const Path& folder) {
  return folder.is_root() ? "" : folder.str() + "/";
}

bool any_scoped(soci::session& sql, AccountId account, const Path& folder) {
  const Holders holders = holders_of(account, folder);
  const std::string below = text_below(folder);
  long long count = 0;
  sql << "SELECT count(*) FROM api_keys WHERE account_id BETWEEN :first AND :last AND " << kWithin,
      soci::use(holders.first, "first"), soci::use(holders.last, "last"),
      soci::use(folder.str(), "scope"), soci::use(below, "below"), soci::into(count);
  return count > 0;
}

void erase_scoped(soci::session& sql, AccountId account, const Path& folder) {
  const Holders holders = holders_of(account, folder);
  const std::string below = text_below(folder);
  sql << "DELETE FROM api_keys WHERE account_id BETWEEN :first AND :last AND " << kWithin,
      soci::use(holders.first, "first"), soci::use(holders.last, "last"),
      soci::use(folder.str(), "scope"), soci::use(below, "below");
  sql << "DELETE FROM api_keys WHERE change_id IN (SELECT id FROM scope_changes WHERE to_path = "
         ":scope OR substr(to_path, 1, length(CAST(:below AS TEXT))) = :below)",
      soci::use(folder.str(), "scope"), soci::use(below, "below");
}

}  // namespace coffer::catalog
