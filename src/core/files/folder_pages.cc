#include "core/files/folder_pages.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/clock.h"
#include "core/files/listing.h"

namespace coffer::core {
namespace {

/// True if the entry comes before the position in ascending order, or at it.
bool is_up_to(const storage::Entry& entry, SortKey key, const PagePosition& position,
              const NameOrder& names) {
  const std::int64_t number = sort_number(entry, key);
  if (number != position.number) return number < position.number;
  return !names.less(position.name, entry.name);
}

/// Reading a smaller folder is as fast as the cache.
constexpr std::size_t kFewestEntries = 500;
/// About 20 MiB, besides what the MemoryRoom counts.
constexpr std::size_t kMostEntries = 150'000;
constexpr std::chrono::minutes kAge{1};

/// Of the JSON of a page, and of an item without its names.
constexpr std::size_t kMostPageBytes = 4 * 1024 * 1024;
constexpr std::size_t kItemBytes = 220;

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

/// A folder that changed less long ago may change again without a later time.
constexpr std::chrono::milliseconds kStampAge{100};

/// Returns how many of the items the page may have: at least one.
std::size_t count_on_page(const std::vector<ListedItem>& items, const PageRequest& request) {
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const ListedItem& item : items) {
    // Both the name and the path tell the name, and any byte may be escaped.
    bytes += kItemBytes + 2 * (2 * item.entry.name.size() + request.path_bytes);
    if (count == request.limit || (count > 0 && bytes > kMostPageBytes)) break;
    ++count;
  }
  return count;
}

/// Reads the entries again, since writes into files do not change the folder's stamp.
Task<void> refresh(const ResolvedPath& folder, std::vector<ListedItem>& items) {
  for (ListedItem& item : items) {
    if (item.mount) continue;
    ResolvedPath place = folder;
    place.path = folder.path / *Path::parse(item.entry.name);
    auto entry = co_await stat(place);
    if (entry) item.entry = *std::move(entry);
  }
}

}  // namespace

std::int64_t sort_number(const storage::Entry& entry, SortKey key) {
  switch (key) {
    case SortKey::name:
      return 0;
    case SortKey::size:
      return static_cast<std::int64_t>(entry.size_bytes);
    case SortKey::modified:
      return entry.modified_at.time_since_epoch().count();
  }
  std::unreachable();
}

const FolderSnapshot::Indices& FolderSnapshot::sorted_by(SortKey key) const {
  const std::lock_guard lock(mutex_);
  Indices& indices = orders_[static_cast<std::size_t>(key)];
  if (indices.size() == entries_.size()) return indices;
  indices.resize(entries_.size());
  std::iota(indices.begin(), indices.end(), 0);
  if (key == SortKey::name) return indices;
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const std::int64_t left = sort_number(entries_[a], key);
    const std::int64_t right = sort_number(entries_[b], key);
    return left != right ? left < right : a < b;
  };
  const auto files = indices.begin() + static_cast<std::ptrdiff_t>(folders_);
  std::sort(indices.begin(), files, less);
  std::sort(files, indices.end(), less);
  return indices;
}

std::vector<const storage::Entry*> FolderSnapshot::entries_of(
    ItemKind kind, const PageOrder& order, const std::optional<PagePosition>& after,
    std::size_t limit) const {
  std::span<const std::uint32_t> indices = sorted_by(order.key);
  indices = kind == ItemKind::folder ? indices.first(folders_) : indices.subspan(folders_);
  if (after && after->kind == kind) {
    const auto place = std::ranges::partition_point(indices, [&](std::uint32_t index) {
      return is_up_to(entries_[index], order.key, *after, names_);
    });
    auto split = static_cast<std::size_t>(place - indices.begin());
    if (order.descending && split > 0) {
      const storage::Entry& at = entries_[indices[split - 1]];
      if (sort_number(at, order.key) == after->number && at.name == after->name) --split;
    }
    indices = order.descending ? indices.first(split) : indices.subspan(split);
  }
  std::vector<const storage::Entry*> found;
  found.reserve(std::min(limit, indices.size()));
  for (std::size_t i = 0; i < indices.size() && i < limit; ++i) {
    found.push_back(&entries_[indices[order.descending ? indices.size() - 1 - i : i]]);
  }
  return found;
}

void FolderSnapshots::drop_old() {
  const auto oldest = now_() - kAge;
  std::erase_if(kept_, [&](const Kept& kept) {
    if (kept.made_at > oldest) return false;
    entries_ -= kept.snapshot->size();
    return true;
  });
}

FolderSnapshots::Snapshot FolderSnapshots::find(const SnapshotKey& key,
                                                const storage::FolderStamp& stamp) {
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  if (found == kept_.end() || found->stamp != stamp) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return found->snapshot;
}

void FolderSnapshots::put(SnapshotKey key, const storage::FolderStamp& stamp, Snapshot snapshot) {
  const std::size_t size = snapshot->size();
  if (size < kFewestEntries || size > kMostEntries) return;
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto old = std::ranges::find(kept_, key, &Kept::key);
  if (old != kept_.end()) {
    entries_ -= old->snapshot->size();
    kept_.erase(old);
  }
  kept_.push_front({std::move(key), stamp, now_(), std::move(snapshot)});
  for (entries_ += size; entries_ > kMostEntries; kept_.pop_back()) {
    entries_ -= kept_.back().snapshot->size();
  }
}

PageMaker::PageMaker(const FolderSnapshot& snapshot, std::vector<Mount> mounts, bool read_only)
    : snapshot_(snapshot), mounts_(std::move(mounts)), read_only_(read_only) {
  const auto less = std::bind_front(&NameOrder::less, &snapshot_.names());
  std::ranges::sort(mounts_, less, &position_name);
}

// One more than is asked for tells whether there is a next page.
FolderPage PageMaker::make(const PageRequest& request) const {
  FolderPage page;
  page.left_out = snapshot_.left_out();
  const ItemKind first = request.after ? request.after->kind : ItemKind::folder;
  if (first == ItemKind::folder) add_entries(ItemKind::folder, request, page);
  if (first != ItemKind::file) add_mounts(request, page);
  add_entries(ItemKind::file, request, page);
  const std::size_t count = count_on_page(page.items, request);
  if (page.items.size() > count) {
    page.items.erase(page.items.begin() + static_cast<std::ptrdiff_t>(count), page.items.end());
    page.next = position_of(page.items.back(), request.order.key);
  }
  return page;
}

void PageMaker::add_entries(ItemKind kind, const PageRequest& request, FolderPage& page) const {
  const std::size_t left = request.limit + 1 - page.items.size();
  for (const storage::Entry* entry :
       snapshot_.entries_of(kind, request.order, request.after, left)) {
    page.items.push_back({*entry, Path(), read_only_, std::nullopt});
  }
}

void PageMaker::add_mounts(const PageRequest& request, FolderPage& page) const {
  for (const Mount& mount : mounts_) {
    if (page.items.size() > request.limit) return;
    const bool is_behind = !request.after || request.after->kind != ItemKind::mount ||
                           snapshot_.names().less(request.after->name, position_name(mount));
    if (is_behind) page.items.push_back(item_of(mount));
  }
}

Task<Result<FolderPages::Found>> FolderPages::find(const Principal& principal,
                                                   const ResolvedPath& place,
                                                   const NameOrder& names) {
  SnapshotKey key{principal.account->id, place.account_path(), place.reserves_mount_names(),
                  &names};
  const auto begun = own_now();
  auto stamp = co_await place.backend->stamp(place.path);
  if (stamp) {
    Found found{snapshots_.find(key, *stamp), true};
    if (found.snapshot) co_return found;
    if (begun - stamp->changed_at < kStampAge) stamp.reset();
  }
  co_return co_await read(principal, place, std::move(key), stamp);
}

Task<Result<FolderPages::Found>> FolderPages::read(const Principal& principal,
                                                   const ResolvedPath& place, SnapshotKey key,
                                                   std::optional<storage::FolderStamp> stamp) {
  const NameOrder& names = *key.names;
  CO_TRY(auto listing, co_await reader_.read(principal, place, names));
  Found found;
  found.snapshot = std::make_shared<FolderSnapshot>(std::move(listing.entries), listing.folders,
                                                    names, listing.left_out);
  found.listed = std::move(listing);
  if (stamp && co_await place.backend->stamp(place.path) == stamp) {
    snapshots_.put(std::move(key), *stamp, found.snapshot);
  }
  co_return found;
}

Task<Result<FolderPage>> FolderPages::page(const Principal& principal, const ResolvedPath& place,
                                           PageRequest request) {
  CO_TRY(const auto found, co_await find(principal, place, *request.names));
  CO_TRY(auto mounts, co_await namespace_.mounts_in(principal, place));
  const PageMaker maker(*found.snapshot, std::move(mounts), place.read_only);
  FolderPage page;
  auto make = [&] { page = maker.make(request); };
  co_await run_by_size(pools_.of(principal.account->id), found.snapshot->size(), std::move(make));
  if (found.is_kept) co_await refresh(place, page.items);
  co_return page;
}

}  // namespace coffer::core
