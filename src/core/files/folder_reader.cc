#include "core/files/folder_reader.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "core/files/listing.h"
#include "core/files/sweep.h"
#include "core/namespace/name_rules.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

bool has_mount_name(const storage::Entry& entry) {
  return is_mount_name(entry.name);
}

/// Takes what is incomplete out of a listing; the names of what may be swept.
std::vector<Name> take_hidden(std::vector<storage::Entry>& entries) {
  std::vector<Name> partial;
  std::erase_if(entries, [&](const storage::Entry& entry) {
    if (!storage::is_hidden_name(entry.name)) return false;
    auto name = Name::parse(entry.name);
    if (name && storage::is_partial_name(entry.name)) partial.push_back(*std::move(name));
    return true;
  });
  return partial;
}

/// The places of some. Any, since those of other installations stay, however many come first.
std::vector<ResolvedPath> some_of(const std::vector<Name>& names, const ResolvedPath& folder) {
  std::vector<Name> some;
  std::ranges::sample(names, std::back_inserter(some), FolderReader::kMostSwept,
                      std::minstd_rand(std::random_device()()));
  std::vector<ResolvedPath> places;
  for (const Name& name : some) {
    places.push_back(folder);
    places.back().path = folder.path / name;
    places.back().is_top = false;
  }
  return places;
}

}  // namespace

ListedItem Listing::at(std::size_t index) const {
  if (index >= folders && index < folders + mounts.size()) {
    return item_of(mounts[index - folders]);
  }
  const std::size_t place = index < folders ? index : index - mounts.size();
  return {entries[place], folder, read_only, std::nullopt};
}

Task<Result<Listing>> FolderReader::read(const Principal& principal, const ResolvedPath& place,
                                         const NameOrder& names) {
  CO_TRY(auto listed, co_await lister_.list(principal, place.backend, place.path));
  Listing listing{std::move(listed)};
  listing.read_only = place.read_only;
  const bool reserves_mount_names = place.reserves_mount_names();
  std::vector<ResolvedPath> partial;
  auto arrange = [&] {
    // Such a path leads to a mount, so an item of that name could not be reached.
    if (reserves_mount_names) listing.left_out += std::erase_if(listing.entries, &has_mount_name);
    const std::vector<Name> hidden = take_hidden(listing.entries);
    if (!place.read_only) partial = some_of(hidden, place);
    listing.folders = sort_for_listing(listing.entries, names);
  };
  co_await run_by_size(pools_.of(principal.account->id), listing.size(), std::move(arrange));
  if (!partial.empty()) sweep_in_background(principal.account->id, std::move(partial));
  co_return listing;
}

void FolderReader::sweep_in_background(AccountId account, std::vector<ResolvedPath> items) {
  auto turn = sweeps_.enter_now(account);
  if (!turn) return;
  auto work = sweep_met(catalog_.tasks(), background_, account, std::move(items));
  background_.spawn(in_slot(*std::move(turn), std::move(work)));
}

}  // namespace coffer::core
