#pragma once

#include <string_view>

#include "base/id.h"
#include "base/path.h"

namespace coffer::catalog {

/// The prefixes of paths in a mount, from the account's root; the mount's id follows.
inline constexpr std::string_view kSharePrefix = "__adm_";
inline constexpr std::string_view kConnectorPrefix = "__conn_";

/// The mount's own folder.
Path top_of(const ShareId& id);
Path top_of(const ConnectorId& id);

/// True in a share. Such a path leads every account to the same place; any other leads each account
/// to a place of its own.
bool is_in_share(const Path& path);

}  // namespace coffer::catalog
