#include "core/files.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "core/listing.h"
#include "core/name_rules.h"
#include "core/quota.h"
#include "core/sweep.h"
#include "core/transfer.h"
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

/// So old, nobody can be at work on what is incomplete.
constexpr auto kAbandonedAfter = std::chrono::days(2);

/// Takes what is incomplete out of a listing; the places of what was abandoned long ago.
std::vector<Place> take_partial(std::vector<storage::Entry>& entries, const Place& folder) {
  std::vector<Place> abandoned;
  std::erase_if(entries, [&](const storage::Entry& entry) {
    if (!storage::is_partial_name(entry.name)) return false;
    const auto name = Name::parse(entry.name);
    if (name && !folder.read_only && storage::partial_since(entry.name) < now() - kAbandonedAfter) {
      Place place = folder;
      place.path = folder.path / *name;
      place.is_top = false;
      abandoned.push_back(std::move(place));
    }
    return true;
  });
  return abandoned;
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

/// Source and destination of a move or copy.
struct Ends {
  Place from;
  Place to;
};

Result<void> check_form(const Path& from, const Path& to) {
  if (!from.is_root() && to.is_within(from)) {
    return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
  }
  return {};
}

Task<Result<Ends>> plan_transfer(Space& space, const Path& from, const Path& to, bool moves) {
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
  co_return Ends{*std::move(from_place), *std::move(to_place)};
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
  auto abandoned = take_partial(*entries, *place);
  if (!abandoned.empty()) {
    background_.spawn(sweep({catalog_.ledger(), background_}, *space, std::move(abandoned)));
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
    co_return OpenFile{std::move(reader), *std::move(space)};
  }
  auto reader = co_await place->backend->open(place->path);
  if (!reader) co_return failure_of(std::move(reader));
  co_return OpenFile{*std::move(reader), *std::move(space)};
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
  co_return co_await rename_place(principal, *from, to->item);
}

/// A move or copy that is to be done; it keeps the backends of its places alive.
struct Files::Plan {
  Space space;
  Ends ends;

  catalog::NewTask task(const Principal& principal, catalog::TaskKind kind) const {
    return {principal.account->id, kind, ends.from.account_path().str(),
            ends.to.account_path().str()};
  }
};

Task<Result<void>> Files::move(const Principal& principal, const Path& from, const Path& to) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  auto ends = co_await plan_transfer(*space, from, to, true);
  if (!ends) co_return failure_of(std::move(ends));
  if (ends->from.backend == ends->to.backend) {
    co_return co_await rename_place(principal, ends->from, ends->to);
  }
  auto plan = std::make_shared<Plan>(Plan{*std::move(space), *std::move(ends)});
  auto task = plan->task(principal, catalog::TaskKind::move);
  const AccountId account = principal.account->id;
  auto work = [this, account, plan](Job& job) {
    return move_across(account, plan->ends.from, plan->ends.to, job);
  };
  co_return co_await long_work_.run(std::move(task), std::move(work));
}

Task<Result<void>> Files::copy(const Principal& principal, const Path& from, const Path& to) {
  auto space = Space::of(principal, homes_, mounts_);
  if (!space) co_return failure_of(std::move(space));
  auto ends = co_await plan_transfer(*space, from, to, false);
  if (!ends) co_return failure_of(std::move(ends));
  auto plan = std::make_shared<Plan>(Plan{*std::move(space), *std::move(ends)});
  auto task = plan->task(principal, catalog::TaskKind::copy);
  auto work = [this, plan](Job& job) {
    const Ends& both = plan->ends;
    if (both.from.backend == both.to.backend) return copy_place(both.from, both.to);
    return copy_across(both.from, both.to, job);
  };
  co_return co_await long_work_.run(std::move(task), std::move(work));
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

namespace {

/// Tells where a tree is collected before it is made, from the account's root.
TransferOptions options_for(const Place& to, std::uint64_t limit_bytes, Job& job) {
  TransferOptions options;
  options.limit_bytes = limit_bytes;
  options.on_staging = [&to, &job](Path path) {
    return job.note_left_over((to.base / path).str());
  };
  return options;
}

}  // namespace

Task<Result<void>> Files::copy_across(const Place& from, const Place& to, Job& job) {
  Reservation reservation(catalog_.ledger(), background_, to.quota_account);
  if (to.quota_account) {
    const auto size = co_await from.backend->measure(from.path);
    if (!size) co_return failure_of(size);
    auto reserved = co_await reservation.grow_to(size->bytes);
    if (!reserved) co_return reserved;
    auto held = co_await reservation.hold();
    if (!held) co_return held;
  }
  TransferOptions options = options_for(to, reservation.bytes(), job);
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto copied = co_await transfer(source, target, std::move(options), job.progress());
  if (!copied) co_return failure_of(copied);
  co_return co_await reservation.settle(static_cast<std::int64_t>(copied->bytes));
}

Task<Result<void>> Files::move_across(AccountId account, const Place& from, const Place& to,
                                      Job& job) {
  const auto scope = co_await scope_at(account, from);
  if (!scope) co_return failure_of(scope);
  Reservation freed(catalog_.ledger(), background_, from.quota_account);
  auto held = co_await freed.hold();
  if (!held) co_return held;
  Reservation taken(catalog_.ledger(), background_, to.quota_account);
  if (to.quota_account) {
    const auto size = co_await from.backend->measure(from.path);
    if (!size) co_return failure_of(size);
    auto reserved = co_await taken.grow_to(size->bytes);
    if (!reserved) co_return reserved;
  }
  TransferOptions options = options_for(to, taken.bytes(), job);
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto moved = co_await transfer_move(source, target, std::move(options), job.progress());
  const auto& kept = job.progress().kept();
  if (moved || kept) {
    const std::uint64_t stored = moved ? moved->bytes : kept->bytes;
    auto settled = co_await taken.settle(static_cast<std::int64_t>(stored));
    if (!settled) co_return settled;
  }
  if (!moved) co_return failure_of(moved);
  const std::uint64_t removed = job.progress().removed() ? job.progress().removed()->bytes : 0;
  auto settled = co_await freed.settle(-static_cast<std::int64_t>(removed));
  if (!settled || !*scope) co_return settled;
  const auto new_path = co_await to.backend->canonical(to.path);
  if (!new_path) co_return failure_of(new_path);
  const Path new_scope = to.base / *new_path;
  co_return co_await catalog_.keys().move_scopes(account, **scope, new_scope);
}

Task<Result<void>> Files::remove(const Principal& principal, const Path& path) {
  auto space = Space::of(principal, homes_, mounts_);
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
