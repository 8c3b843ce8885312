#include "backends/local/logged_path.h"

#include "backends/local/fd_path.h"

namespace coffer::local {

// Where a path is too long to be known, publishing found so too, and logged nothing.

LoggedChange begin_logged(const Volume& volume, int folder, std::string_view name) {
  if (!volume.log) return nullptr;
  auto path = entry_path(folder, name);
  return path ? volume.log->begin_change(*std::move(path)) : nullptr;
}

bool is_change_of(const LoggedChange& change, int folder, std::string_view name) {
  const auto path = change ? entry_path(folder, name) : Result<std::string>();
  return !change || (path && *path == change->path());
}

Result<void> drop_logged(const Volume& volume, const LoggedChange& change) {
  if (!change) return {};
  return volume.log->drop(*change);
}

Result<void> write_out_logged(const Volume& volume, int folder, std::string_view name) {
  if (!volume.log || volume.log->is_empty()) return {};
  const auto path = entry_path(folder, name);
  if (!path) return {};
  return volume.log->write_out(*path);
}

}  // namespace coffer::local
