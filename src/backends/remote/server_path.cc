#include "backends/remote/server_path.h"

#include "storage/partial_name.h"

namespace coffer::remote {

std::string_view name_of(const ServerPath& place) {
  return std::string_view(place).substr(place.rfind('/') + 1);
}

ServerPath parent_of(const ServerPath& place) {
  const auto slash = place.rfind('/');
  if (slash == ServerPath::npos) return {};
  return slash == 0 ? "/" : place.substr(0, slash);
}

ServerPath in_folder(const ServerPath& folder, std::string_view name) {
  ServerPath place = folder;
  if (!place.empty() && place != "/") place += '/';
  return place.append(name);
}

bool is_beneath(const ServerPath& place, const ServerPath& folder) {
  const ServerPath start = in_folder(folder, {});
  return place.size() > start.size() && place.starts_with(start);
}

ServerPath partial_beside(const ServerPath& place) {
  return in_folder(parent_of(place), storage::partial_name());
}

ServerPath backup_beside(const ServerPath& place) {
  return in_folder(parent_of(place), storage::backup_name(name_of(place)));
}

}  // namespace coffer::remote
