#pragma once

#include "base/error.h"
#include "catalog/keys.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// Adds a key, or the key of a link; `exists` if the folder that it is limited to is being renamed,
/// moved or deleted. In a job that writes and, for a key with a folder, bumped the generation
/// `auth` before.
Result<Key> add_key(soci::session& sql, const NewKey& key, bool is_link);

}  // namespace coffer::catalog
