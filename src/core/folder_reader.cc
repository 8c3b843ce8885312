#include "core/folder_reader.h"

#include <utility>

#include "core/listing.h"
#include "core/namespace/name_rules.h"
#include "core/sweep.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

bool has_mount_name(const storage::Entry& entry) {
  return is_mount_name(entry.name);
}

/// Takes what is incomplete out of a listing; the places of what may be swept.
std::vector<ResolvedPath> take_hidden(std::vector<storage::Entry>& entries,
                                      const ResolvedPath& folder) {
  std::vector<ResolvedPath> partial;
  std::erase_if(entries, [&](const storage::Entry& entry) {
    if (!storage::is_hidden_name(entry.name)) return false;
    const auto name = Name::parse(entry.name);
    if (name && !folder.read_only && storage::is_partial_name(entry.name)) {
      ResolvedPath place = folder;
      place.path = folder.path / *name;
      place.is_top = false;
      partial.push_back(std::move(place));
    }
    return true;
  });
  return partial;
}

}  // namespace

ListedItem Listing::take(std::size_t index) {
  if (index >= folders && index < folders + mounts.size()) {
    return item_of(std::move(mounts[index - folders]));
  }
  const std::size_t place = index < folders ? index : index - mounts.size();
  return {std::move(entries[place]), folder, read_only, std::nullopt};
}

Task<Result<Listing>> FolderReader::read(const Principal& principal, const Namespace& ns,
                                         const ResolvedPath& place) {
  auto entries = co_await place.backend->list(place.path);
  if (!entries) co_return failure_of(std::move(entries));
  Listing listing{Path(), place.read_only, *std::move(entries), 0, {}};
  const bool reserves_mount_names = ns.reserves_mount_names(place);
  std::vector<ResolvedPath> partial;
  auto arrange = [&] {
    // Such a path leads to a mount, so an item of that name could not be reached.
    if (reserves_mount_names) std::erase_if(listing.entries, &has_mount_name);
    partial = take_hidden(listing.entries, place);
    listing.folders = sort_for_listing(listing.entries);
  };
  co_await run_by_size(pools_.of(principal.account->id), listing.size(), std::move(arrange));
  if (!partial.empty()) {
    auto swept = sweep_met(catalog_.tasks(), principal.account->id, ns, std::move(partial));
    background_.spawn(std::move(swept));
  }
  co_return listing;
}

}  // namespace coffer::core
