#include "core/files/files.h"

#include <algorithm>
#include <utility>

#include "core/accounts/quota.h"
#include "core/bin/bin_service.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

/// A place for something new, and the folder that it is in.
struct NewPlace {
  ResolvedPath folder;
  ResolvedPath item;
};

Task<Result<NewPlace>> resolve_new(Namespace& ns, const Path& parent, const Name& name) {
  auto folder = co_await ns.resolve_for_writing(parent);
  if (!folder) co_return failure_of(std::move(folder));
  auto item = child_of(ns, *folder, name);
  if (!item) co_return failure_of(std::move(item));
  co_return NewPlace{*std::move(folder), *std::move(item)};
}

}  // namespace

Task<Result<std::vector<Location>>> Files::locations(const Principal& principal) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  co_return co_await ns->locations();
}

Task<Result<Listing>> Files::list(const Principal& principal, const Path& folder) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await ns->resolve(folder);
  if (!place) co_return failure_of(place);
  auto listing = co_await reader_.read(principal, *ns, *place);
  if (!listing) co_return failure_of(std::move(listing));
  auto stands = co_await recheck(principal);
  if (!stands) co_return failure_of(std::move(stands));
  auto mounts = co_await ns->mounts_in(*place);
  if (!mounts) co_return failure_of(std::move(mounts));
  listing->folder = folder;
  listing->mounts = *std::move(mounts);
  co_return listing;
}

Task<Result<FolderPage>> Files::page(const Principal& principal, const Path& folder,
                                     PageRequest request) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await ns->resolve(folder);
  if (!place) co_return failure_of(place);
  auto page = co_await pages_.page(principal, *ns, *place, std::move(request));
  if (!page) co_return page;
  auto stands = co_await recheck(principal);
  if (!stands) co_return failure_of(std::move(stands));
  for (ListedItem& item : page->items) item.folder = folder;
  page->has_bin = has_bin(*place);
  co_return page;
}

Task<Result<ListedItem>> Files::info(const Principal& principal, const Path& path) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await ns->resolve(path);
  if (!place) co_return failure_of(place);
  if (place->is_top && place->mount && !principal.scope) co_return item_of(*place->mount);
  auto entry = co_await stat(*place);
  if (!entry) co_return failure_of(std::move(entry));
  auto stands = co_await recheck(principal);
  if (!stands) co_return failure_of(std::move(stands));
  co_return item_of(*std::move(entry), path.parent(), *place);
}

Task<Result<OpenFile>> Files::open(const Principal& principal, const Path& path) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await ns->resolve(path);
  if (!place) co_return failure_of(place);
  std::unique_ptr<storage::Reader> reader = place->backend->open_now(place->path);
  if (!reader) {
    auto opened = co_await place->backend->open(place->path);
    if (!opened) co_return failure_of(std::move(opened));
    reader = *std::move(opened);
  }
  auto stands = co_await recheck(principal);
  if (!stands) co_return failure_of(std::move(stands));
  co_return OpenFile{*std::move(ns), std::move(reader)};
}

Task<Result<std::unique_ptr<Upload>>> Files::upload(const Principal& principal, const Path& folder,
                                                    std::optional<std::uint64_t> content_length) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await ns->resolve_for_writing(folder);
  if (!place) co_return failure_of(place);
  auto is_folder = co_await require_folder(*place);
  if (!is_folder) co_return failure_of(std::move(is_folder));
  auto upload = std::make_unique<Upload>(principal, *std::move(ns), *place, quota_, access_recheck_,
                                         folder_changes_);
  auto fits = co_await upload->expect(content_length);
  if (!fits) co_return failure_of(std::move(fits));
  co_return upload;
}

Task<Result<void>> Files::recheck(const Principal& principal, const ResolvedPath& place) {
  std::vector<MountUse> uses = {MountUse{place.mount, true}};
  co_return co_await access_recheck_.of(principal, std::move(uses));
}

Task<Result<void>> Files::recheck(const Principal& principal) {
  if (!principal.scope) co_return Result<void>{};
  co_return co_await access_recheck_.of(principal, {});
}

Task<Result<void>> Files::make_folder(const Principal& principal, const Path& parent,
                                      const Name& name) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await resolve_new(*ns, parent, name);
  if (!place) co_return failure_of(place);
  auto makeable = co_await check_missing_folders(place->folder);
  if (!makeable) co_return makeable;
  const auto still = co_await folder_changes_.keep_still(principal);
  auto stands = co_await recheck(principal, place->folder);
  if (!stands) co_return stands;
  co_return co_await place->item.backend->make_folder(place->item.path);
}

Task<Result<bool>> Files::make_file(const Principal& principal, const Path& parent,
                                    const Name& name) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await resolve_new(*ns, parent, name);
  if (!place) co_return failure_of(place);
  auto is_folder = co_await require_folder(place->folder);
  if (!is_folder) co_return failure_of(std::move(is_folder));
  storage::Backend& backend = *place->item.backend;
  storage::WriteOptions options;
  options.if_taken = storage::IfTaken::refuse;
  auto writer = co_await backend.create(place->item.path, std::move(options));
  if (!writer && writer.error().code == ErrorCode::exists) co_return false;
  if (!writer) co_return failure_of(std::move(writer));
  const auto still = co_await folder_changes_.keep_still(principal);
  auto stands = co_await recheck(principal, place->folder);
  if (!stands) co_return failure_of(std::move(stands));
  const auto published = co_await backend.publish({&*writer, 1}, 0);
  if (!published && published.error().code == ErrorCode::exists) co_return false;
  if (!published) co_return failure_of(published);
  co_return true;
}

Task<Result<void>> Files::rename(const Principal& principal, const Path& path,
                                 const Name& new_name) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto from = co_await ns->resolve_for_writing(path);
  if (!from) co_return failure_of(from);
  if (from->is_top) co_return fail(ErrorCode::forbidden, "The root itself cannot be renamed.");
  const auto to = co_await resolve_new(*ns, path.parent(), new_name);
  if (!to) co_return failure_of(to);
  if (to->item.path == from->path) {
    const auto there = co_await from->backend->stat(from->path);
    if (!there) co_return failure_of(there);
    co_return Result<void>{};
  }
  co_return co_await move_copy_.rename(principal, *from, to->item);
}

Task<Result<Placement>> Files::check_placement(const MoveCopyRequest& request, bool moves) {
  const bool is_within_backend = request.from.backend == request.to.backend;
  // A rename finds out by itself, and a file is taken by its name.
  if (is_within_backend && (moves || !request.is_folder)) co_return Placement::apart;
  const auto placement =
      co_await placement_of(mounts_, request.from, request.is_folder, request.to);
  if (placement && *placement == Placement::within) co_return into_itself();
  co_return placement;
}

Task<Result<void>> Files::move(const Principal& principal, const Path& from, const Path& to) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  MoveCopyCommand command{from, to};
  command.moves = true;
  auto request = co_await plan_move_copy(*std::move(ns), std::move(command));
  if (!request) co_return failure_of(std::move(request));
  const auto placement = co_await check_placement(*request, true);
  if (!placement) co_return failure_of(placement);
  if (*placement == Placement::same) co_return Result<void>{};
  co_return co_await move_copy_.move(principal, *std::move(request));
}

Task<Result<void>> Files::copy(const Principal& principal, const Path& from, const Path& to) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  MoveCopyCommand command{from, to};
  auto request = co_await plan_move_copy(*std::move(ns), std::move(command));
  if (!request) co_return failure_of(std::move(request));
  const auto placement = co_await check_placement(*request, false);
  if (!placement) co_return failure_of(placement);
  co_return co_await move_copy_.copy(principal, *std::move(request));
}

Task<Result<storage::Removed>> Files::remove_with_keys(const Principal& principal,
                                                       const ResolvedPath& place) {
  auto change = co_await folder_changes_.begin(principal.account->id, place, nullptr);
  if (!change) co_return failure_of(std::move(change));
  Result<storage::Removed> removed;
  auto stands = co_await recheck(principal, place);
  if (stands) {
    removed = co_await place.backend->remove(place.path);
  } else {
    removed = failure_of(std::move(stands));
  }
  co_await change->end(removed.has_value(), removed && removed->folders > 0);
  co_return removed;
}

Task<Result<void>> Files::remove(const Principal& principal, const Path& path) {
  auto ns = Namespace::of(principal, homes_, mounts_);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await ns->resolve_for_writing(path);
  if (!place) co_return failure_of(place);
  co_return co_await remove(principal, *place);
}

Task<Result<void>> Files::remove(const Principal& principal, const ResolvedPath& place) {
  if (place.is_top) co_return fail(ErrorCode::forbidden, "The root itself cannot be deleted.");
  Reservation reservation(quota_, place.quota_account);
  // What was freed can be written to a full catalog later: it is owed until then.
  auto held = co_await reservation.hold();
  if (!held && held.error().code != ErrorCode::disk_full) co_return held;
  const auto removed = co_await remove_with_keys(principal, place);
  if (!removed) co_return failure_of(removed);
  auto settled = co_await reservation.settle(-static_cast<std::int64_t>(removed->bytes));
  if (settled && removed->unsafe) co_return std::unexpected(*removed->unsafe);
  co_return settled;
}

}  // namespace coffer::core
