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

ShownFolder shown_of(const std::vector<Item>& items) {
  ShownFolder shown;
  for (const Item& item : items) {
    if (item.kind == Kind::file || item.kind == Kind::folder) {
      shown.entries.push_back(entry_of(item));
    } else {
      shown.is_whole = false;
    }
  }
  return shown;
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

Task<Result<ShownFolder>> Adapter::list_shown(const Path& folder) {
  const auto found = co_await find_item(folder, Look::shown);
  if (!found) co_return failure_of(found);
  if (found->item.kind != Kind::folder) co_return fail_no_folder();
  const auto items = co_await list(found->place);
  if (!items) co_return failure_of(items);
  co_return shown_of(*items);
}

}  // namespace coffer::remote
