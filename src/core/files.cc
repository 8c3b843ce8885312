#include "core/files.h"

#include <algorithm>
#include <utility>

#include "core/key_scopes.h"
#include "core/listing.h"
#include "core/name_rules.h"
#include "core/quota.h"
#include "core/sweep.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

Item item_of(storage::Entry entry, const Path& folder, const Place& place) {
  return {std::move(entry), folder, place.read_only, std::nullopt};
}

/// A mount in the root, as the catalog knows it: nothing here waits for a server.
Item item_of(Mount mount) {
  storage::Entry entry;
  entry.name = mount.name;
  entry.is_directory = true;
  entry.created_at = entry.modified_at = mount.created_at;
  const bool read_only = mount.read_only;
  return {std::move(entry), Path(), read_only, std::move(mount)};
}

/// Takes what is incomplete out of a listing; the places of what may be swept.
std::vector<Place> take_hidden(std::vector<storage::Entry>& entries, const Place& folder) {
  std::vector<Place> partial;
  std::erase_if(entries, [&](const storage::Entry& entry) {
    if (!storage::is_hidden_name(entry.name)) return false;
    const auto name = Name::parse(entry.name);
    if (name && !folder.read_only && storage::is_partial_name(entry.name)) {
      Place place = folder;
      place.path = folder.path / *name;
      place.is_top = false;
      partial.push_back(std::move(place));
    }
    return true;
  });
  return partial;
}

/// The place that an item takes in a folder.
Result<Place> child_of(const Space& space, const Place& folder, const Name& name) {
  auto allowed = check_new_name(space, folder, name.str());
  if (!allowed) return failure_of(std::move(allowed));
  Place child = folder;
  child.path = folder.path / name;
  child.is_top = false;
  return child;
}

/// A place for something new, and the folder that it is in.
struct NewPlace {
  Place folder;
  Place item;
};

Task<Result<NewPlace>> resolve_new(Space& space, const Path& parent, const Name& name) {
  auto folder = co_await space.resolve_for_writing(parent);
  if (!folder) co_return failure_of(std::move(folder));
  auto item = child_of(space, *folder, name);
  if (!item) co_return failure_of(std::move(item));
  co_return NewPlace{*std::move(folder), *std::move(item)};
}

Task<Result<void>> require_folder(const Place& place) {
  if (const auto now = place.backend->stat_now(place.path); now && now->is_directory) {
    co_return Result<void>{};
  }
  const auto entry = co_await place.backend->stat(place.path);
  if (!entry) co_return failure_of(entry);
  if (!entry->is_directory) co_return fail(ErrorCode::invalid, "The destination is not a folder.");
  co_return Result<void>{};
}

Result<void> check_form(const Path& from, const Path& to) {
  if (!from.is_root() && to.is_within(from)) {
    return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
  }
  return {};
}

Task<Result<Route>> plan_route(Space space, Path from, Path to, bool moves) {
  auto formed = check_form(from, to);
  if (!formed) co_return failure_of(std::move(formed));
  auto source = moves ? space.resolve_for_writing(from) : space.resolve(from);
  auto from_place = co_await std::move(source);
  if (!from_place) co_return failure_of(std::move(from_place));
  auto folder = co_await space.resolve_for_writing(to);
  if (!folder) co_return failure_of(std::move(folder));
  // A copy of a mount takes the mount's name.
  const bool is_mount = from_place->is_top && from_place->mount && !from.is_root();
  if (from_place->is_top && (moves || !is_mount)) {
    co_return fail(ErrorCode::forbidden, "A root itself cannot be moved, nor your own be copied.");
  }
  const auto there = co_await from_place->backend->stat(from_place->path);
  if (!there) co_return failure_of(there);
  // What exists may bear a name that could not be made, such as one with a backslash.
  const auto name = Name::parse(is_mount ? from_place->mount->name : from_place->path.name());
  if (!name) co_return failure_of(name);
  auto to_place = child_of(space, *folder, *name);
  if (!to_place) co_return failure_of(std::move(to_place));
  auto is_folder = co_await require_folder(*folder);
  if (!is_folder) co_return failure_of(std::move(is_folder));
  co_return Route{std::move(space), *std::move(from_place), *std::move(to_place)};
}

}  // namespace

Task<Result<std::vector<Location>>> Files::locations(const Principal& principal) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  co_return co_await space->locations();
}

Task<Result<std::vector<Item>>> Files::list(const Principal& principal, const Path& folder) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve(folder);
  if (!place) co_return failure_of(place);
  auto entries = co_await place->backend->list(place->path);
  if (!entries) co_return failure_of(std::move(entries));
  if (space->reserves_mount_names(*place)) {
    // Such a path leads to a mount, so an item of that name could not be reached.
    std::erase_if(*entries, [](const storage::Entry& e) { return is_mount_name(e.name); });
  }
  auto partial = take_hidden(*entries, *place);
  if (!partial.empty()) {
    auto swept = sweep_met(catalog_.tasks(), principal.account->id, *space, std::move(partial));
    background_.spawn(std::move(swept));
  }
  sort_for_listing(*entries);
  auto mounts = co_await space->mounts_in(*place);
  if (!mounts) co_return failure_of(std::move(mounts));
  std::vector<Item> items;
  items.reserve(entries->size() + mounts->size());
  const auto files = std::ranges::find(*entries, false, &storage::Entry::is_directory);
  const auto add = [&](storage::Entry& e) {
    items.push_back(item_of(std::move(e), folder, *place));
  };
  std::for_each(entries->begin(), files, add);
  for (Mount& mount : *mounts) items.push_back(item_of(std::move(mount)));
  std::for_each(files, entries->end(), add);
  co_return items;
}

Task<Result<Item>> Files::info(const Principal& principal, const Path& path) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve(path);
  if (!place) co_return failure_of(place);
  if (place->is_top && place->mount && !principal.scope) co_return item_of(*place->mount);
  if (auto entry = place->backend->stat_now(place->path)) {
    co_return item_of(*std::move(entry), path.parent(), *place);
  }
  auto entry = co_await place->backend->stat(place->path);
  if (!entry) co_return failure_of(std::move(entry));
  co_return item_of(*std::move(entry), path.parent(), *place);
}

Task<Result<OpenFile>> Files::open(const Principal& principal, const Path& path) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve(path);
  if (!place) co_return failure_of(place);
  if (auto reader = place->backend->open_now(place->path)) {
    co_return OpenFile{*std::move(space), std::move(reader)};
  }
  auto reader = co_await place->backend->open(place->path);
  if (!reader) co_return failure_of(std::move(reader));
  co_return OpenFile{*std::move(space), *std::move(reader)};
}

Task<Result<std::unique_ptr<Upload>>> Files::upload(const Principal& principal, const Path& folder,
                                                    std::optional<std::uint64_t> content_length) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve_for_writing(folder);
  if (!place) co_return failure_of(place);
  auto is_folder = co_await require_folder(*place);
  if (!is_folder) co_return failure_of(std::move(is_folder));
  auto upload = std::make_unique<Upload>(*std::move(space), *place, catalog_.ledger(), background_);
  auto fits = co_await upload->expect(content_length);
  if (!fits) co_return failure_of(std::move(fits));
  co_return upload;
}

Task<Result<void>> Files::make_folder(const Principal& principal, const Path& parent,
                                      const Name& name) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await resolve_new(*space, parent, name);
  if (!place) co_return failure_of(place);
  auto makeable = co_await check_missing_folders(place->folder);
  if (!makeable) co_return makeable;
  co_return co_await place->item.backend->make_folder(place->item.path);
}

Task<Result<bool>> Files::make_file(const Principal& principal, const Path& parent,
                                    const Name& name) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await resolve_new(*space, parent, name);
  if (!place) co_return failure_of(place);
  auto is_folder = co_await require_folder(place->folder);
  if (!is_folder) co_return failure_of(std::move(is_folder));
  storage::Backend& backend = *place->item.backend;
  storage::WriteOptions options;
  options.if_taken = storage::IfTaken::refuse;
  auto writer = co_await backend.create(place->item.path, std::move(options));
  if (!writer && writer.error().code == ErrorCode::exists) co_return false;
  if (!writer) co_return failure_of(std::move(writer));
  const auto published = co_await backend.publish({&*writer, 1}, 0);
  if (!published && published.error().code == ErrorCode::exists) co_return false;
  if (!published) co_return failure_of(published);
  co_return true;
}

Task<Result<void>> Files::rename(const Principal& principal, const Path& path,
                                 const Name& new_name) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto from = co_await space->resolve_for_writing(path);
  if (!from) co_return failure_of(from);
  if (from->is_top) co_return fail(ErrorCode::forbidden, "The root itself cannot be renamed.");
  const auto to = co_await resolve_new(*space, path.parent(), new_name);
  if (!to) co_return failure_of(to);
  if (to->item.path == from->path) {
    const auto there = co_await from->backend->stat(from->path);
    if (!there) co_return failure_of(there);
    co_return Result<void>{};
  }
  co_return co_await relocation_.rename(principal.account->id, *from, to->item);
}

Task<Result<void>> Files::move(const Principal& principal, const Path& from, const Path& to) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  auto route = co_await plan_route(*std::move(space), from, to, true);
  if (!route) co_return failure_of(std::move(route));
  co_return co_await relocation_.move(principal.account->id, *std::move(route));
}

Task<Result<void>> Files::copy(const Principal& principal, const Path& from, const Path& to) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  auto route = co_await plan_route(*std::move(space), from, to, false);
  if (!route) co_return failure_of(std::move(route));
  co_return co_await relocation_.copy(principal.account->id, *std::move(route));
}

Task<Result<void>> Files::remove(const Principal& principal, const Path& path) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve_for_writing(path);
  if (!place) co_return failure_of(place);
  if (place->is_top) co_return fail(ErrorCode::forbidden, "The root itself cannot be deleted.");
  auto revoked = co_await revoke_scoped(catalog_.keys(), principal.account->id, *place);
  if (!revoked) co_return revoked;
  Reservation reservation(catalog_.ledger(), background_, place->quota_account);
  auto held = co_await reservation.hold();
  if (!held) co_return held;
  const auto removed = co_await place->backend->remove(place->path);
  if (!removed) co_return failure_of(removed);
  co_return co_await reservation.settle(-static_cast<std::int64_t>(removed->bytes));
}

}  // namespace coffer::core
