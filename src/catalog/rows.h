#pragma once

#include <string>
#include <string_view>

#include "catalog/accounts.h"
#include "catalog/keys.h"

namespace soci {
class row;
}

namespace coffer::catalog {

/// The columns of an account and of a key, in the order in which the functions below read them.
inline constexpr std::string_view kAccountColumns =
    "a.id, a.name, a.display_name, a.role, a.disabled, a.quota_bytes, a.password_hash, "
    "a.created_at, a.home, a.preferences";
inline constexpr std::string_view kKeyColumns =
    "k.id, k.account_id, k.name, k.preview, k.scope, k.created_at, k.last_used_at, "
    "k.change_id, k.read_only, k.expires_at, k.is_link";
inline constexpr std::size_t kKeyColumnCount = 11;

/// Both throw if the row holds what the catalog never writes.
Account account_from(const soci::row& row, std::size_t first = 0);
Key key_from(const soci::row& row);

/// Sizes are 63-bit in the database; a larger one means no more than the largest.
long long to_column(std::uint64_t bytes);
long long to_column(Timestamp time);
Timestamp timestamp_from(long long nanoseconds);

}  // namespace coffer::catalog
