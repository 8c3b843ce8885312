#pragma once

#include <optional>

#include "base/path.h"
#include "catalog/mount_paths.h"
#include "catalog/scope_changes.h"

namespace coffer::core {

/// True of what only a remote server can tell about.
inline bool is_on_server(const Path& path) {
  return path.front().starts_with(catalog::kConnectorPrefix);
}

inline bool is_on_server(const catalog::ScopeChange& change) {
  return is_on_server(change.from) || (change.to && is_on_server(*change.to));
}

/// Scopes go where their folder went, or are gone with it.
inline catalog::ScopeChanges::Follow follow(const catalog::ScopeChange& change) {
  return [from = change.from, to = change.to](const Path& scope) -> std::optional<Path> {
    if (!to) return std::nullopt;
    return *to / scope.relative_to(from);
  };
}

}  // namespace coffer::core
