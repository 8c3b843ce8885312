#include "core/files.h"

#include <utility>

#include "base/log.h"
#include "core/listing.h"
#include "core/name_rules.h"
#include "core/quota.h"

namespace coffer::core {
namespace {

Item item_of(storage::Entry entry, const Path& folder, const Place& place) {
  return {std::move(entry), folder, place.read_only};
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

/// Source and destination of a move or copy, once the form of the request is known to be right.
struct Transfer {
  Place from;
  Place to;
};

Result<void> check_form(const Path& from, const Path& to) {
  if (!from.is_root() && to.is_within(from)) {
    return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
  }
  return {};
}

Task<Result<Transfer>> plan_transfer(Space& space, const Path& from, const Path& to, bool moves) {
  auto formed = check_form(from, to);
  if (!formed) co_return failure_of(std::move(formed));
  auto source = moves ? space.resolve_for_writing(from) : space.resolve(from);
  auto from_place = co_await std::move(source);
  if (!from_place) co_return failure_of(std::move(from_place));
  auto folder = co_await space.resolve_for_writing(to);
  if (!folder) co_return failure_of(std::move(folder));
  if (from_place->is_top) {
    co_return fail(ErrorCode::forbidden, "The root itself cannot be moved or copied.");
  }
  const auto there = co_await from_place->backend->stat(from_place->path);
  if (!there) co_return failure_of(there);
  // What exists may bear a name that could not be made, such as one with a backslash.
  const auto name = Name::parse(from_place->path.name());
  if (!name) co_return failure_of(name);
  auto to_place = child_of(space, *folder, *name);
  if (!to_place) co_return failure_of(std::move(to_place));
  auto is_folder = co_await require_folder(*folder);
  if (!is_folder) co_return failure_of(std::move(is_folder));
  co_return Transfer{*std::move(from_place), *std::move(to_place)};
}

}  // namespace

Task<Result<std::vector<Location>>> Files::locations(const Principal& principal) {
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  co_return co_await space->locations();
}

Task<Result<std::vector<Item>>> Files::list(const Principal& principal, const Path& folder) {
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve(folder);
  if (!place) co_return failure_of(place);
  auto entries = co_await place->backend->list(place->path);
  if (!entries) co_return failure_of(std::move(entries));
  if (space->reserves_mount_names(*place)) {
    // Such a path leads to a mount, so an item of that name could not be reached.
    std::erase_if(*entries, [](const storage::Entry& e) { return is_mount_name(e.name); });
  }
  sort_for_listing(*entries);
  std::vector<Item> items;
  items.reserve(entries->size());
  for (storage::Entry& entry : *entries) items.push_back(item_of(std::move(entry), folder, *place));
  co_return items;
}

Task<Result<Item>> Files::info(const Principal& principal, const Path& path) {
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve(path);
  if (!place) co_return failure_of(place);
  if (auto entry = place->backend->stat_now(place->path)) {
    co_return item_of(*std::move(entry), path.parent(), *place);
  }
  auto entry = co_await place->backend->stat(place->path);
  if (!entry) co_return failure_of(std::move(entry));
  co_return item_of(*std::move(entry), path.parent(), *place);
}

Task<Result<OpenFile>> Files::open(const Principal& principal, const Path& path) {
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve(path);
  if (!place) co_return failure_of(place);
  if (auto reader = place->backend->open_now(place->path)) {
    co_return OpenFile{std::move(reader), *std::move(space)};
  }
  auto reader = co_await place->backend->open(place->path);
  if (!reader) co_return failure_of(std::move(reader));
  co_return OpenFile{*std::move(reader), *std::move(space)};
}

Task<Result<std::unique_ptr<Upload>>> Files::upload(const Principal& principal, const Path& folder,
                                                    std::optional<std::uint64_t> content_length) {
  auto space = Space::of(principal, homes_);
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
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await resolve_new(*space, parent, name);
  if (!place) co_return failure_of(place);
  auto makeable = co_await check_missing_folders(place->folder);
  if (!makeable) co_return makeable;
  co_return co_await place->item.backend->make_folder(place->item.path);
}

Task<Result<bool>> Files::make_file(const Principal& principal, const Path& parent,
                                    const Name& name) {
  auto space = Space::of(principal, homes_);
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
  auto space = Space::of(principal, homes_);
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
  co_return co_await rename_place(principal, *from, to->item);
}

Task<Result<void>> Files::move(const Principal& principal, const Path& from, const Path& to) {
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  auto plan = co_await plan_transfer(*space, from, to, true);
  if (!plan) co_return failure_of(std::move(plan));
  co_return co_await rename_place(principal, plan->from, plan->to);
}

Task<Result<void>> Files::copy(const Principal& principal, const Path& from, const Path& to) {
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  auto plan = co_await plan_transfer(*space, from, to, false);
  if (!plan) co_return failure_of(std::move(plan));
  co_return co_await copy_place(plan->from, plan->to);
}

Task<Result<void>> Files::rename_place(const Principal& principal, const Place& from,
                                       const Place& to) {
  catalog::Keys& keys = catalog_.keys();
  const AccountId account = principal.account->id;
  const auto old_scope = co_await scope_at(account, from);
  if (!old_scope) co_return failure_of(old_scope);
  if (!*old_scope) co_return co_await from.backend->rename(from.path, to.path);
  const auto new_path = co_await to.backend->canonical(to.path);
  if (!new_path) co_return failure_of(new_path);
  const Path new_scope = to.base / *new_path;
  // The keys go first: between the two steps they lead to a name that is not there yet, never to
  // another folder that takes the old name.
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  auto moved = co_await keys.move_scopes(account, **old_scope, new_scope);
  if (!moved) co_return moved;
  auto renamed = co_await from.backend->rename(from.path, to.path);
  if (renamed) co_return renamed;
  const auto back = co_await keys.move_scopes(account, new_scope, **old_scope);
  if (!back) spdlog::error("the scopes of keys could not be put back: {}", back.error().message);
  co_return renamed;
}

Task<Result<void>> Files::copy_place(const Place& from, const Place& to) {
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  const auto size = co_await from.backend->measure(from.path);
  if (!size) co_return failure_of(size);
  Reservation reservation(catalog_.ledger(), background_, to.quota_account);
  auto reserved = co_await reservation.grow_to(size->bytes);
  if (!reserved) co_return reserved;
  const auto copied = co_await from.backend->copy(from.path, to.path, reservation.bytes());
  if (!copied) co_return failure_of(copied);
  co_return co_await reservation.settle(static_cast<std::int64_t>(copied->bytes));
}

Task<Result<void>> Files::remove(const Principal& principal, const Path& path) {
  auto space = Space::of(principal, homes_);
  if (!space) co_return failure_of(std::move(space));
  const auto place = co_await space->resolve_for_writing(path);
  if (!place) co_return failure_of(place);
  if (place->is_top) co_return fail(ErrorCode::forbidden, "The root itself cannot be deleted.");
  auto revoked = co_await revoke_scoped(principal.account->id, *place);
  if (!revoked) co_return revoked;
  Reservation reservation(catalog_.ledger(), background_, place->quota_account);
  auto held = co_await reservation.hold();
  if (!held) co_return held;
  const auto removed = co_await place->backend->remove(place->path);
  if (!removed) co_return failure_of(removed);
  co_return co_await reservation.settle(-static_cast<std::int64_t>(removed->bytes));
}

Task<Result<void>> Files::revoke_scoped(AccountId account, const Place& place) {
  const auto scope = co_await scope_at(account, place);
  if (!scope) co_return failure_of(scope);
  if (!*scope) co_return Result<void>{};
  // Before the folder goes, so that no key ever opens a folder made again under its name.
  const auto there = co_await place.backend->stat(place.path);
  if (!there) co_return failure_of(there);
  co_return co_await catalog_.keys().revoke_scoped(account, **scope);
}

Task<Result<std::optional<Path>>> Files::scope_at(AccountId account, const Place& place) {
  catalog::Keys& keys = catalog_.keys();
  const auto any = co_await keys.any_scoped(account, Path());
  if (!any) co_return failure_of(any);
  if (!*any) co_return std::optional<Path>();
  const auto canonical = co_await place.backend->canonical(place.path);
  if (!canonical) co_return failure_of(canonical);
  const Path scope = place.base / *canonical;
  const auto here = co_await keys.any_scoped(account, scope);
  if (!here) co_return failure_of(here);
  co_return *here ? std::optional<Path>(scope) : std::nullopt;
}

}  // namespace coffer::core
