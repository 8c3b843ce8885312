#include "core/listed_item.h"

#include <utility>

namespace coffer::core {

ListedItem item_of(storage::Entry entry, const Path& folder, const ResolvedPath& place) {
  return {std::move(entry), folder, place.read_only, std::nullopt};
}

ListedItem item_of(Mount mount) {
  storage::Entry entry;
  entry.name = mount.name;
  entry.is_directory = true;
  entry.created_at = entry.modified_at = mount.created_at;
  const bool read_only = mount.read_only;
  return {std::move(entry), Path(), read_only, std::move(mount)};
}

Task<Result<storage::Entry>> stat(const ResolvedPath& place) {
  if (auto entry = place.backend->stat_now(place.path)) co_return *std::move(entry);
  co_return co_await place.backend->stat(place.path);
}

}  // namespace coffer::core
