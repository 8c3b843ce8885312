#include "backends/remote/walk.h"

#include <utility>

#include "storage/partial_name.h"

namespace coffer::remote {
namespace {

void add_up(const WalkedFolder& folder, storage::TreeSize& size) {
  if (folder.is_hidden) return;
  ++size.folders;
  for (const Item& item : folder.items) {
    if (!counts(item) || item.kind == Kind::folder) continue;
    ++size.files;
    size.bytes += item.size_bytes;
  }
}

}  // namespace

bool counts(const Item& item) {
  return (item.kind == Kind::file || item.kind == Kind::folder) &&
         !storage::is_hidden_name(item.name);
}

Walk::Walk(Adapter& adapter, const Found& top, Through through)
    : adapter_(adapter), through_(through), budget_(adapter.capabilities().walk) {
  left_.push_back({.place = top.place, .modified_at = top.item.modified_at});
}

Task<Result<std::optional<WalkedFolder>>> Walk::next() {
  if (left_.empty()) co_return std::nullopt;
  WalkedFolder folder = std::move(left_.back());
  left_.pop_back();
  CO_TRY(folder.items, co_await list(folder.place, folder.depth));
  note_folders(folder);
  co_return folder;
}

Task<Result<std::vector<Item>>> Walk::list(const ServerPath& folder, std::size_t depth) {
  CO_TRY_VOID(may_enter(folder, depth));
  CO_TRY(auto items, co_await adapter_.list(folder));
  std::size_t name_bytes = 0;
  for (const Item& item : items) {
    name_bytes += item.name.size();
    // Folders wait for their turn with their whole paths.
    if (item.kind == Kind::folder) name_bytes += folder.size();
  }
  CO_TRY_VOID(budget_.spend(items.size(), name_bytes));
  co_return items;
}

Result<void> Walk::may_enter(const ServerPath& folder, std::size_t depth) const {
  TRY_VOID(budget_.enter(depth));
  if (folder.size() > adapter_.capabilities().longest_place_bytes) {
    return fail(ErrorCode::refused, "The folders are nested too deeply.");
  }
  return adapter_.go_on();
}

void Walk::note_folders(const WalkedFolder& folder) {
  for (const Item& item : folder.items) {
    const std::size_t number = met_++;
    if (item.kind != Kind::folder) continue;
    const bool is_hidden = folder.is_hidden || !counts(item);
    if (is_hidden && through_ == Through::shown) continue;
    left_.push_back({.place = in_folder(folder.place, item.name),
                     .number = number,
                     .depth = folder.depth + 1,
                     .is_hidden = is_hidden,
                     .modified_at = item.modified_at});
  }
}

Task<Result<storage::TreeSize>> measure(Adapter& adapter, const Found& top,
                                        std::vector<TreeItem>* all) {
  if (top.item.kind != Kind::folder) co_return storage::TreeSize{top.item.size_bytes, 1, 0};
  storage::TreeSize size;
  if (all) all->push_back({.is_folder = true});
  Walk walk(adapter, top, all ? Walk::Through::all : Walk::Through::shown);
  for (;;) {
    CO_TRY(auto folder, co_await walk.next());
    if (!folder) co_return size;
    add_up(*folder, size);
    for (std::size_t i = 0; all && i < folder->items.size(); ++i) {
      Item& item = folder->items[i];
      all->push_back({folder->number, std::move(item.name), item.kind == Kind::folder});
    }
  }
}

}  // namespace coffer::remote
