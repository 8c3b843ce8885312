#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "backends/local/errno_error.h"
#include "backends/local/local_tree.h"

namespace coffer::local {
namespace {

/// Where an open folder is now, as the kernel knows it (proc(5), /proc/self/fd).
Result<std::string> whereabouts(const Handle& folder) {
  std::error_code error;
  const auto link = "/proc/self/fd/" + std::to_string(folder.get());
  auto path = std::filesystem::read_symlink(link, error);
  if (error) return fail_with(error.value());
  return path.string();
}

}  // namespace

Result<Path> canonical_path(const Lookup& lookup, const Path& path) {
  if (path.is_root()) return path;
  const auto root = lookup.open_folder(Path(), O_PATH);
  if (!root) return failure_of(root);
  const auto place = lookup.place(path);
  if (!place) return failure_of(place);
  const auto above = whereabouts(*root);
  if (!above) return failure_of(above);
  const auto folder = whereabouts(place->folder);
  if (!folder) return failure_of(folder);
  // Both may be moved between the two looks; then the folder is not where it was asked for.
  if (!folder->starts_with(*above)) return fail_with(ENOENT);
  const auto parent = Path::parse(std::string_view(*folder).substr(above->size()));
  if (!parent) return failure_of(parent);
  const auto name = Path::parse(place->name);
  if (!name) return failure_of(name);
  return *parent / *name;
}

}  // namespace coffer::local
