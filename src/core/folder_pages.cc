#include "core/folder_pages.h"

#include <utility>

#include "base/clock.h"
#include "core/listing.h"
#include "core/page_maker.h"

namespace coffer::core {
namespace {

/// A folder that changed less long ago may change again without a later time.
constexpr std::chrono::milliseconds kStampAge{100};

/// What was written into files changes no folder, so the items of a page are looked at once more.
Task<void> look_again(const ResolvedPath& folder, std::vector<ListedItem>& items) {
  for (ListedItem& item : items) {
    if (item.mount) continue;
    ResolvedPath place = folder;
    place.path = folder.path / *Path::parse(item.entry.name);
    auto entry = co_await stat(place);
    if (entry) item.entry = *std::move(entry);
  }
}

}  // namespace

Task<Result<FolderPages::Found>> FolderPages::find(const Principal& principal, const Namespace& ns,
                                                   const ResolvedPath& place) {
  SnapshotKey key{principal.account->id, place.account_path(), ns.reserves_mount_names(place)};
  const auto begun = now();
  auto stamp = co_await place.backend->stamp(place.path);
  if (stamp) {
    Found found{snapshots_.find(key, *stamp), true};
    if (found.snapshot) co_return found;
    if (begun - stamp->changed_at < kStampAge) stamp.reset();
  }
  co_return co_await read(principal, ns, place, std::move(key), stamp);
}

Task<Result<FolderPages::Found>> FolderPages::read(const Principal& principal, const Namespace& ns,
                                                   const ResolvedPath& place, SnapshotKey key,
                                                   std::optional<storage::FolderStamp> stamp) {
  auto listing = co_await reader_.read(principal, ns, place);
  if (!listing) co_return failure_of(std::move(listing));
  Found found;
  found.snapshot = std::make_shared<FolderSnapshot>(std::move(listing->entries), listing->folders);
  if (stamp && co_await place.backend->stamp(place.path) == stamp) {
    snapshots_.put(std::move(key), *stamp, found.snapshot);
  }
  co_return found;
}

Task<Result<FolderPage>> FolderPages::page(const Principal& principal, const Namespace& ns,
                                           const ResolvedPath& place, PageRequest request) {
  const auto found = co_await find(principal, ns, place);
  if (!found) co_return failure_of(found);
  auto mounts = co_await ns.mounts_in(place);
  if (!mounts) co_return failure_of(std::move(mounts));
  const PageMaker maker(*found->snapshot, *std::move(mounts), place.read_only);
  FolderPage page;
  auto make = [&] { page = maker.make(request); };
  co_await run_by_size(pools_.of(principal.account->id), found->snapshot->size(), std::move(make));
  if (found->is_kept) co_await look_again(place, page.items);
  co_return page;
}

}  // namespace coffer::core
