#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/path.h"

namespace coffer::catalog {

/// The prefixes of the names that mounts have in an account's root. A mount is a share or a
/// connector. Its name is the prefix and the mount's id.
inline constexpr std::string_view kSharePrefix = "__adm_";
inline constexpr std::string_view kConnectorPrefix = "__conn_";

/// Returns the path of a mount, from the account's root.
Path top_of(const ShareId& id);
Path top_of(const ConnectorId& id);

/// Returns where the mount of an item leads that an account shares with others.
std::string leads_to_of(AccountId owner, const Path& item);

/// Returns true for the path of a share or of an item in a share. Such a path names the same item
/// for every account. Any other path names a different item for each account.
bool is_in_share(const Path& path);
/// Returns true for the path of a mount or of an item in a mount.
bool is_in_mount(const Path& path);

}  // namespace coffer::catalog
