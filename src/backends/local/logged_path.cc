#include "backends/local/logged_path.h"

#include "backends/local/fd_path.h"

namespace coffer::local {
namespace {

/// Nothing where the log cannot hold anything.
std::optional<std::string> logged_path(const Volume& volume, int folder, std::string_view name) {
  if (!volume.log || volume.log->is_empty()) return std::nullopt;
  auto path = path_from(volume.root.get(), folder, name);
  if (!path) return std::nullopt;  // The log tells paths the same way.
  return *std::move(path);
}

}  // namespace

std::optional<LoggedPath> release_logged(const Volume& volume, int folder, std::string_view name) {
  auto path = logged_path(volume, folder, name);
  if (!path) return std::nullopt;
  const auto mark = volume.log->release(*path);
  if (!mark) return std::nullopt;
  return LoggedPath{*std::move(path), *mark};
}

Result<void> drop_logged(const Volume& volume, const std::optional<LoggedPath>& place) {
  if (!place) return {};
  return volume.log->drop(place->path, place->mark);
}

Result<void> write_out_logged(const Volume& volume, int folder, std::string_view name) {
  const auto path = logged_path(volume, folder, name);
  if (!path) return {};
  return volume.log->write_out(volume.root.get(), *path);
}

}  // namespace coffer::local
