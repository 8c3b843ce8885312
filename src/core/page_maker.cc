#include "core/page_maker.h"

#include <algorithm>
#include <utility>

#include "base/natural_order.h"

namespace coffer::core {
namespace {

/// Several mounts may have one name.
std::string position_name(const Mount& mount) {
  return mount.name + '\n' + mount.prefix;
}

PagePosition position_of(const ListedItem& item, SortKey key) {
  PagePosition position;
  if (item.mount) {
    position.kind = ItemKind::mount;
    position.name = position_name(*item.mount);
    return position;
  }
  position.kind = item.entry.is_directory ? ItemKind::folder : ItemKind::file;
  position.number = sort_number(item.entry, key);
  position.name = item.entry.name;
  return position;
}

}  // namespace

PageMaker::PageMaker(const FolderSnapshot& snapshot, std::vector<Mount> mounts, bool read_only)
    : snapshot_(snapshot), mounts_(std::move(mounts)), read_only_(read_only) {
  std::ranges::sort(mounts_, &natural_less, &position_name);
}

// One more than is asked for tells whether there is a next page.
FolderPage PageMaker::make(const PageRequest& request) const {
  FolderPage page;
  const ItemKind first = request.after ? request.after->kind : ItemKind::folder;
  if (first == ItemKind::folder) add_entries(ItemKind::folder, request, page);
  if (first != ItemKind::file) add_mounts(request, page);
  add_entries(ItemKind::file, request, page);
  if (page.items.size() > request.limit) {
    page.items.pop_back();
    page.next = position_of(page.items.back(), request.order.key);
  }
  return page;
}

void PageMaker::add_entries(ItemKind kind, const PageRequest& request, FolderPage& page) const {
  const std::size_t room = request.limit + 1 - page.items.size();
  for (const storage::Entry* entry :
       snapshot_.entries_of(kind, request.order, request.after, room)) {
    page.items.push_back({*entry, Path(), read_only_, std::nullopt});
  }
}

void PageMaker::add_mounts(const PageRequest& request, FolderPage& page) const {
  for (const Mount& mount : mounts_) {
    if (page.items.size() > request.limit) return;
    const bool is_behind = !request.after || request.after->kind != ItemKind::mount ||
                           natural_less(request.after->name, position_name(mount));
    if (is_behind) page.items.push_back(item_of(mount));
  }
}

}  // namespace coffer::core
