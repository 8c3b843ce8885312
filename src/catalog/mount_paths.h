#pragma once

#include <string_view>

#include "base/id.h"
#include "base/path.h"

namespace coffer::catalog {

/// The prefixes of the names that mounts have in an account's root; the mount's id follows.
inline constexpr std::string_view kSharePrefix = "__adm_";
inline constexpr std::string_view kConnectorPrefix = "__conn_";

/// Returns the path of the mount, from the account's root.
Path top_of(const ShareId& id);
Path top_of(const ConnectorId& id);

/// Returns true for the path of a share or of an item in it. Such a path names the same item for
/// every account; any other path names a different item for each account.
bool is_in_share(const Path& path);

}  // namespace coffer::catalog
