#include "backends/remote/adapter.h"

#include <spdlog/spdlog.h>

#include <ranges>
#include <string_view>
#include <utility>

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

void Leftovers::add(ServerPath partial) {
  constexpr std::size_t kMost = 1000;
  const std::lock_guard lock(mutex_);
  partials_.push_back(std::move(partial));
  if (partials_.size() <= kMost) return;
  spdlog::warn("A partial file or folder remains on a remote server: {}", partials_.front());
  partials_.erase(partials_.begin());
}

storage::Entry entry_of(const Item& item) {
  const bool is_folder = item.kind == Kind::folder;
  return {.name = item.name,
          .is_directory = is_folder,
          .size_bytes = is_folder ? 0 : item.size_bytes,
          .created_at = item.modified_at,
          .modified_at = item.modified_at};
}

storage::FolderListing shown_of(const Listing& listing) {
  storage::FolderListing shown{.left_out = listing.left_out};
  for (const Item& item : listing.items) {
    if (item.kind == Kind::file || item.kind == Kind::folder) {
      shown.entries.push_back(entry_of(item));
    } else if (!storage::is_hidden_name(item.name)) {
      ++shown.left_out;
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
  CO_TRY(const auto place, co_await place_of(path));
  CO_TRY(auto item, co_await find(place, look));
  const bool is_shown = item && (item->kind == Kind::file || item->kind == Kind::folder);
  if (!is_shown) co_return fail_missing();
  co_return Found{place, *std::move(item)};
}

Task<Result<storage::FolderListing>> Adapter::list_shown(const Path& folder) {
  CO_TRY(const auto found, co_await find_item(folder, Look::shown));
  if (found.item.kind != Kind::folder) co_return fail_no_folder();
  Listing listing;
  CO_TRY(listing.items, co_await list(found.place));
  co_return shown_of(listing);
}

namespace {

/// Awaits a removal. If its reply is lost, it succeeded if the item is gone.
Task<Result<void>> verified(Adapter& adapter, const ServerPath& place, Task<Result<void>> removal) {
  auto removed = co_await std::move(removal);
  if (removed || !adapter.is_unsure()) co_return removed;
  const auto left = co_await adapter.find(place, Look::sure);
  if (left && !*left) removed = {};
  co_return removed;
}

}  // namespace

Task<Result<bool>> was_moved(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                             std::optional<std::uint64_t> size_bytes) {
  CO_TRY(const auto left, co_await adapter.find(from, Look::sure));
  if (left) co_return false;
  CO_TRY(const auto arrived, co_await adapter.find(to, Look::sure));
  co_return arrived && (!size_bytes || arrived->size_bytes == *size_bytes);
}

Task<Result<void>> move_verified(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                 Kind kind) {
  auto moved = co_await adapter.move(from, to, kind);
  if (moved || !adapter.is_unsure()) co_return moved;
  const auto done = co_await was_moved(adapter, from, to);
  if (done.value_or(false)) moved = {};
  co_return moved;
}

Task<Result<void>> remove_verified(Adapter& adapter, const ServerPath& file, Kind shown_as) {
  return verified(adapter, file, adapter.remove_file(file, shown_as));
}

Task<Result<void>> remove_folder_verified(Adapter& adapter, const ServerPath& folder) {
  return verified(adapter, folder, adapter.remove_folder(folder));
}

Task<Result<void>> need_free_name(Adapter& adapter, const ServerPath& place) {
  CO_TRY(const auto item, co_await adapter.find(place, Look::sure));
  if (item) co_return fail_taken();
  co_return Result<void>();
}

Task<Result<void>> need_folder(Adapter& adapter, const ServerPath& folder) {
  CO_TRY(const auto item, co_await adapter.find(folder, Look::parent));
  if (!item) co_return fail_missing();
  if (item->kind != Kind::folder) co_return fail_no_folder();
  co_return Result<void>();
}

Task<Result<Item>> need_item(Adapter& adapter, const ServerPath& place) {
  CO_TRY(auto item, co_await adapter.find(place, Look::shown));
  const bool is_item = item && item->kind != Kind::other &&
                       (item->kind != Kind::link || adapter.capabilities().keeps_links);
  if (!is_item) co_return fail_missing();
  co_return *std::move(item);
}

}  // namespace coffer::remote
