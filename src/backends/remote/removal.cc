#include "backends/remote/removal.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <ranges>

#include "backends/remote/adapter.h"
#include "backends/remote/walk.h"
#include "storage/partial_name.h"

namespace coffer::remote {
namespace {

/// Times that a tree is read if others take it apart at the same time.
constexpr int kReadings = 3;
/// Times that what stays of a tree is to get its name again while connections break.
constexpr int kShowings = 3;

std::unexpected<Error> fail_changing() {
  return fail(ErrorCode::refused, "The folder is being changed by another client.");
}

/// A tree, item by item.
class Deletion {
 public:
  Deletion(Adapter& adapter, const Found& top, storage::TreeSize& size)
      : adapter_(adapter), walk_(adapter, top, Walk::Through::all), size_(size) {}

  /// Removes one item, unless it is a folder that is none but shown as such: true for a real one.
  Task<Result<bool>> remove(const ServerPath& place, const Item& item);
  /// Removes a folder and all in it.
  Task<Result<void>> empty(const ServerPath& folder, std::size_t depth);

 private:
  /// Returns the names of the folders that are left.
  Task<Result<std::vector<std::string>>> remove_items(const ServerPath& folder, std::size_t depth);

  Adapter& adapter_;
  Walk walk_;
  storage::TreeSize& size_;
};

Task<Result<bool>> Deletion::remove(const ServerPath& place, const Item& item) {
  const bool is_folder = item.kind == Kind::folder;
  if (is_folder && !adapter_.capabilities().shows_links_as_folders) co_return true;
  const auto removed = co_await remove_verified(adapter_, place, item.kind);
  if (!removed && is_folder && !is_outage(removed.error())) co_return true;
  if (!removed && !is_not_found(removed.error())) co_return failure_of(removed);
  if (removed && item.kind == Kind::file && counts(item)) {
    ++size_.files;
    size_.bytes += item.size_bytes;
  }
  co_return false;
}

Task<Result<std::vector<std::string>>> Deletion::remove_items(const ServerPath& folder,
                                                              std::size_t depth) {
  CO_TRY(const auto items, co_await walk_.list(folder, depth));
  std::vector<std::string> folders;
  for (const Item& item : items) {
    CO_TRY_VOID(adapter_.go_on());
    const ServerPath place = in_folder(folder, item.name);
    CO_TRY(const auto is_left, co_await remove(place, item));
    if (is_left) folders.push_back(item.name);
  }
  co_return folders;
}

Task<Result<void>> Deletion::empty(const ServerPath& folder, std::size_t depth) {
  CO_TRY(const auto below, co_await remove_items(folder, depth));
  for (const std::string& name : below) {
    const ServerPath place = in_folder(folder, name);
    CO_TRY_VOID(co_await empty(place, depth + 1));
  }
  auto gone = co_await remove_folder_verified(adapter_, folder);
  if (gone && !storage::is_hidden_name(name_of(folder))) ++size_.folders;
  co_return gone;
}

/// Removes a tree item by item, or as the server does it. `items` were read from it, or it is
/// empty.
Task<Result<void>> remove_tree(Adapter& adapter, const Found& top,
                               const std::vector<TreeItem>& items, storage::TreeSize& size) {
  if (adapter.capabilities().tree_removal != TreeRemoval::item_by_item) {
    co_return co_await adapter.remove_tree(top.place, items);
  }
  Deletion deletion(adapter, top, size);
  co_return co_await deletion.empty(top.place, 0);
}

/// Reads a tree that others may change meanwhile; `not_found` only if the top is gone.
Task<Result<storage::TreeSize>> read_changing(Adapter& adapter, const Found& top,
                                              std::vector<TreeItem>& items) {
  const bool is_listed = adapter.capabilities().tree_removal == TreeRemoval::listed;
  for (int readings = 0; readings < kReadings; ++readings) {
    items.clear();
    auto size = co_await measure(adapter, top, is_listed ? &items : nullptr);
    if (size || !is_not_found(size.error())) co_return size;
    CO_TRY([[maybe_unused]] const auto left, co_await need_item(adapter, top.place));
  }
  co_return fail_changing();
}

Task<Result<void>> hide(Adapter& adapter, const ServerPath& folder, const ServerPath& hidden) {
  ServerPaths names(1, folder);
  const auto hold = co_await adapter.names().enter(std::move(names));
  if (adapter.capabilities().tree_removal != TreeRemoval::item_by_item) {
    CO_TRY(const auto item, co_await need_item(adapter, folder));
    if (item.kind != Kind::folder) co_return fail_changing();
  }
  auto moved = co_await move_verified(adapter, folder, hidden, Kind::folder);
  if (!moved && adapter.is_unsure() && is_outage(moved.error())) {
    co_return fail(
        moved.error().code,
        "The connection was lost during the removal: the folder may be removed already.");
  }
  co_return moved;
}

/// Shows the rest of a folder again under its name, or under another one if that is taken.
Task<Result<void>> show_again(Adapter& adapter, const ServerPath& hidden,
                              const ServerPath& folder) {
  ServerPaths names(1, folder);
  const auto hold = co_await adapter.names().enter(std::move(names));
  // Some servers replace what has come to stand there.
  auto shown = co_await need_free_name(adapter, folder);
  if (shown) shown = co_await move_verified(adapter, hidden, folder, Kind::folder);
  if (shown || is_outage(shown.error())) co_return shown;
  const ServerPath other = backup_beside(folder);
  co_return co_await move_verified(adapter, hidden, other, Kind::folder);
}

/// True if the rest of a failed removal may stay under its name, for the bin or a sweep.
bool is_out_of_sight(const Path& path) {
  return std::ranges::any_of(path.components(), storage::is_hidden_name);
}

Task<Result<storage::TreeSize>> remove_folder(Adapter& adapter, const Found& folder,
                                              bool is_hidden) {
  const Capabilities can = adapter.capabilities();
  const bool hides = can.moves_folders && !is_hidden;
  std::vector<TreeItem> items;
  Result<storage::TreeSize> size = storage::TreeSize{.folders = 1};
  // A tree that cannot be read is not begun with.
  if (can.tree_removal != TreeRemoval::item_by_item) {
    size = co_await read_changing(adapter, folder, items);
    if (!size) co_return size;
  }
  Found hidden = folder;
  if (hides) {
    hidden.place = partial_beside(folder.place);
    CO_TRY_VOID(co_await hide(adapter, folder.place, hidden.place));
  }
  auto removed = co_await remove_tree(adapter, hidden, items, *size);
  if (removed) co_return size;
  if (!hides) co_return failure_of(std::move(removed));
  Result<void> shown = co_await show_again(adapter, hidden.place, folder.place);
  for (int tries = 1; tries < kShowings && !shown && is_outage(shown.error()); ++tries) {
    shown = co_await show_again(adapter, hidden.place, folder.place);
  }
  if (shown) co_return failure_of(std::move(removed));
  adapter.leftovers().add(hidden.place);
  if (!is_outage(shown.error())) co_return failure_of(std::move(removed));
  co_return fail(
      shown.error().code,
      "The connection was lost during the removal: a part of the folder may be removed. The "
      "rest is removed when the server answers again.");
}

/// Returns the item that a removal of that name means: also a link that leads nowhere, since the
/// link itself is removed.
Task<Result<Item>> need_removable(Adapter& adapter, const ServerPath& place) {
  CO_TRY(auto item, co_await adapter.find(place, Look::sure));
  if (!item || item->kind == Kind::other) co_return fail_missing();
  co_return *std::move(item);
}

/// Removes anything but a folder with items: returns nullopt for that.
Task<Result<std::optional<storage::TreeSize>>> remove_one(Adapter& adapter, const ServerPath& place,
                                                          Found& found) {
  ServerPaths names(1, place);
  const auto hold = co_await adapter.names().enter(std::move(names));
  CO_TRY(auto item, co_await need_removable(adapter, place));
  found = {place, std::move(item)};
  const bool is_folder = found.item.kind == Kind::folder;
  if (is_folder && !adapter.capabilities().shows_links_as_folders) co_return std::nullopt;
  const auto removed = co_await remove_verified(adapter, place, found.item.kind);
  if (!removed && is_folder && !is_outage(removed.error())) co_return std::nullopt;
  if (!removed) co_return failure_of(removed);
  if (found.item.kind != Kind::file) co_return storage::TreeSize();
  co_return storage::TreeSize{found.item.size_bytes, 1, 0};
}

}  // namespace

Task<Result<storage::TreeSize>> remove_item(Adapter& adapter, const Path& path) {
  if (path.is_root()) co_return fail(ErrorCode::forbidden, "The root itself cannot be changed.");
  CO_TRY(const auto place, co_await adapter.place_of(path));
  Found found;
  CO_TRY(const auto one, co_await remove_one(adapter, place, found));
  Result<storage::TreeSize> removed = one.value_or(storage::TreeSize());
  if (!one) removed = co_await remove_folder(adapter, found, is_out_of_sight(path));
  if (removed) co_await adapter.keep_folder(parent_of(place));
  co_return removed;
}

Task<Result<void>> delete_at(Adapter& adapter, const ServerPath& place) {
  CO_TRY(auto item, co_await adapter.find(place, Look::sure));
  if (!item) co_return Result<void>();
  const Found found{place, *std::move(item)};
  storage::TreeSize size;
  Deletion deletion(adapter, found, size);
  CO_TRY(const auto is_left, co_await deletion.remove(place, found.item));
  if (!is_left) co_return Result<void>();
  const std::vector<TreeItem> unread;
  co_return co_await remove_tree(adapter, found, unread, size);
}

Task<void> sweep(Adapter& adapter) {
  bool is_lost = false;
  for (ServerPath& partial : adapter.leftovers().take()) {
    Result<void> deleted;
    if (!is_lost) deleted = co_await delete_at(adapter, partial);
    is_lost = is_lost || (!deleted && is_outage(deleted.error()));
    if (is_lost) {
      adapter.leftovers().add(std::move(partial));
    } else if (!deleted) {
      spdlog::warn("A partial file or folder remains on a remote server: {}",
                   deleted.error().message);
    }
  }
}

}  // namespace coffer::remote
