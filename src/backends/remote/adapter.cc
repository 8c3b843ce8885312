#include "backends/remote/adapter.h"

namespace coffer::remote {

storage::Entry entry_of(const Item& item) {
  const bool is_folder = item.kind == Kind::folder;
  return {.name = item.name,
          .is_directory = is_folder,
          .size_bytes = is_folder ? 0 : item.size_bytes,
          .created_at = item.modified_at,
          .modified_at = item.modified_at};
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
