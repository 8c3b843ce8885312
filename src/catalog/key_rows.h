#pragma once

#include <string_view>

#include "base/error.h"
#include "catalog/key.h"

namespace soci {
class row;
class session;
}  // namespace soci

namespace coffer::catalog {

/// The columns of a key, in the order in which `key_from` reads them.
inline constexpr std::string_view kKeyColumns =
    "k.id, k.account_id, k.name, k.preview, k.scope, k.created_at, k.last_used_at, "
    "k.change_id, k.read_only, k.expires_at, k.is_link, k.makers";
inline constexpr std::size_t kKeyColumnCount = 12;

/// Reads a key. Throws if the row has a value that the catalog never writes.
Key key_from(const soci::row& row);

/// `rate_limited` if the account already has `most` links (`is_link`) or API keys (not `is_link`).
Result<void> check_count(soci::session& sql, AccountId account, bool is_link, std::size_t most);

/// Inserts an API key or the key of a link. If the asker used a key that expires, the new key
/// expires no later than that key. Call it in a writing transaction that has bumped the generation
/// `auth`. `conflict` if the folder that the new key is limited to is being renamed, moved or
/// deleted; `not_found` if the account is unknown.
Result<Key> add_key(soci::session& sql, const NewKey& key, bool is_link);

}  // namespace coffer::catalog
