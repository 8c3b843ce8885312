#pragma once

#include <optional>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/keys.h"
#include "core/space.h"

namespace coffer::core {

/// The place as key scopes are told: from the account's root, by a path without links. It need not
/// exist.
Task<Result<Path>> scope_of(const Place& place);
/// The same, if a key is limited to the place or to a folder below. In a share all accounts' keys
/// count, elsewhere the account's.
Task<Result<std::optional<Path>>> used_scope_of(catalog::Keys& keys, AccountId account,
                                                const Place& place);
/// Revokes these keys. `not_found` if there are such, but no such item.
Task<Result<void>> revoke_scoped(catalog::Keys& keys, AccountId account, const Place& place);

}  // namespace coffer::core
