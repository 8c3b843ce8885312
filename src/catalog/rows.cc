#include "catalog/rows.h"

#include <soci/soci.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace coffer::catalog {

Account account_from(const soci::row& row, std::size_t first) {
  Account account;
  account.id.value = row.get<long long>(first);
  account.name = row.get<std::string>(first + 1);
  account.display_name = row.get<std::string>(first + 2);
  const auto role = role_from(row.get<std::string>(first + 3));
  if (!role) throw std::runtime_error("The catalog holds an unknown role.");
  account.role = *role;
  account.disabled = row.get<long long>(first + 4) != 0;
  account.quota_bytes = static_cast<std::uint64_t>(row.get<long long>(first + 5));
  account.password_hash = row.get<std::string>(first + 6);
  account.created_at = timestamp_from(row.get<long long>(first + 7));
  account.home = row.get<std::string>(first + 8);
  account.preferences = row.get<std::string>(first + 9);
  return account;
}

Key key_from(const soci::row& row) {
  Key key;
  key.id.value = row.get<std::string>(0);
  key.account.value = row.get<long long>(1);
  key.name = row.get<std::string>(2);
  key.preview = row.get<std::string>(3);
  if (row.get_indicator(4) != soci::i_null) {
    auto folder = Path::parse(row.get<std::string>(4));
    if (!folder) throw std::runtime_error("The catalog holds a scope that is no path.");
    key.folder = std::move(*folder);
  }
  key.created_at = timestamp_from(row.get<long long>(5));
  if (row.get_indicator(6) != soci::i_null)
    key.last_used_at = timestamp_from(row.get<long long>(6));
  if (row.get_indicator(7) != soci::i_null) key.change_id = row.get<std::string>(7);
  key.read_only = row.get<long long>(8) != 0;
  if (row.get_indicator(9) != soci::i_null) key.expires_at = timestamp_from(row.get<long long>(9));
  key.is_link = row.get<long long>(10) != 0;
  return key;
}

long long to_column(std::uint64_t bytes) {
  constexpr auto kLargest = std::numeric_limits<long long>::max();
  return static_cast<long long>(std::min<std::uint64_t>(bytes, kLargest));
}

long long to_column(Timestamp time) {
  return time.time_since_epoch().count();
}

Timestamp timestamp_from(long long nanoseconds) {
  return Timestamp(std::chrono::nanoseconds(nanoseconds));
}

}  // namespace coffer::catalog
