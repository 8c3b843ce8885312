#include "backends/remote/adapter.h"

#include <ranges>
#include <string_view>

namespace coffer::remote {

storage::Entry entry_of(const Item& item) {
  const bool is_folder = item.kind == Kind::folder;
  return {.name = item.name,
          .is_directory = is_folder,
          .size_bytes = is_folder ? 0 : item.size_bytes,
          .created_at = item.modified_at,
          .modified_at = item.modified_at};
}

std::string below_top(std::span<const TreeItem> tree, std::size_t number) {
  std::vector<std::string_view> names;
  std::size_t bytes = 0;
  for (; number != 0; number = tree[number].folder) {
    names.push_back(tree[number].name);
    bytes += 1 + names.back().size();
  }
  std::string place;
  place.reserve(bytes);
  for (const std::string_view name : names | std::views::reverse) (place += '/') += name;
  return place;
}

Task<Result<Found>> Adapter::find_item(const Path& path, Look look) {
  const auto place = co_await place_of(path);
  if (!place) co_return failure_of(place);
  auto item = co_await find(*place, look);
  if (!item) co_return failure_of(item);
  const bool is_shown = *item && ((*item)->kind == Kind::file || (*item)->kind == Kind::folder);
  if (!is_shown) co_return fail_missing();
  co_return Found{*place, **std::move(item)};
}

}  // namespace coffer::remote
