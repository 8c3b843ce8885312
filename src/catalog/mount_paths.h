#pragma once

#include <string_view>

#include "base/id.h"
#include "base/path.h"

namespace coffer::catalog {

/// The prefixes of the names of mounts in the account's root; the mount's id follows.
inline constexpr std::string_view kSharePrefix = "__adm_";
inline constexpr std::string_view kConnectorPrefix = "__conn_";

/// Returns the path of the mount's own folder.
Path top_of(const ShareId& id);
Path top_of(const ConnectorId& id);

/// True for a path in a share. It names the same place for every account; any other path names a
/// different place for each.
bool is_in_share(const Path& path);

}  // namespace coffer::catalog
