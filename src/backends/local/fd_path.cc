#include "backends/local/fd_path.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "backends/local/errno_error.h"

namespace coffer::local {

Result<std::string> fd_path(int folder) {
  const std::string link = "/proc/self/fd/" + std::to_string(folder);
  std::array<char, PATH_MAX> path;
  const ssize_t count = ::readlink(link.c_str(), path.data(), path.size());
  if (count < 0) return fail_with(errno);
  if (count == static_cast<ssize_t>(path.size())) return fail_with(ENAMETOOLONG);
  return std::string(path.data(), static_cast<std::size_t>(count));
}

Result<std::string> path_from(int top, int folder, std::string_view name) {
  auto above = fd_path(top);
  if (!above) return above;
  const auto place = fd_path(folder);
  if (!place) return failure_of(place);
  if (*above == "/") above->clear();
  // Both may be moved between the two looks; then the folder is not where it was asked for.
  if (!place->starts_with(*above)) return fail_with(ENOENT);
  std::string path = place->substr(above->size());
  if (!path.empty() && path.front() != '/') return fail_with(ENOENT);
  path += '/';
  path += name;
  return path.substr(1);
}

bool is_at_or_beneath(std::string_view path, std::string_view top) {
  if (!path.starts_with(top)) return false;
  return path.size() == top.size() || top.empty() || path[top.size()] == '/';
}

}  // namespace coffer::local
