#include "core/files/files.h"

#include <algorithm>
#include <utility>

#include "core/accounts/quota.h"
#include "core/bin/bin_service.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

/// The path of a new item, and its folder.
struct NewPlace {
  ResolvedPath folder;
  ResolvedPath item;
};

Task<Result<NewPlace>> resolve_new(const Namespace& ns, const Principal& principal,
                                   const Path& parent, const Name& name) {
  CO_TRY(auto folder, co_await ns.resolve(principal, parent, Access::add));
  CO_TRY(auto item, child_of(folder, name));
  co_return NewPlace{std::move(folder), std::move(item)};
}

}  // namespace

Task<Result<std::vector<Location>>> Files::locations(const Principal& principal) {
  co_return co_await namespace_.locations(principal);
}

Task<Result<Listing>> Files::list(const Principal& principal, const Path& folder) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, folder));
  CO_TRY(auto listing, co_await reader_.read(principal, place, NameOrder::of("")));
  CO_TRY_VOID(co_await recheck(principal));
  CO_TRY(auto mounts, co_await namespace_.mounts_in(principal, place));
  listing.folder = folder;
  listing.mounts = std::move(mounts);
  co_return listing;
}

Task<Result<FolderPage>> Files::page(const Principal& principal, const Path& folder,
                                     PageRequest request) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, folder));
  request.path_bytes = folder.str().size();
  CO_TRY(auto page, co_await pages_.page(principal, place, std::move(request)));
  CO_TRY_VOID(co_await recheck(principal));
  const bool only_adds = place.mount && place.mount->only_adds();
  for (ListedItem& item : page.items) {
    item.folder = folder;
    item.read_only |= only_adds;
  }
  page.has_bin = has_bin(place);
  const storage::Versions* const versions = versions_of(place);
  page.has_versions = versions != nullptr && versions->are_kept();
  page.name = place.name();
  co_return page;
}

Task<Result<std::unique_ptr<FolderParts>>> Files::parts(const Principal& principal,
                                                        const Path& folder) {
  CO_TRY(auto place, co_await namespace_.resolve(principal, folder));
  auto parts = place.backend->read_in_parts(place.path);
  if (!parts) co_return nullptr;
  CO_TRY(auto mounts, co_await namespace_.mounts_in(principal, place));
  co_return std::make_unique<FolderParts>(std::move(place), folder, std::move(parts),
                                          std::move(mounts));
}

Task<Result<ListedItem>> Files::info(const Principal& principal, const Path& path) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, path));
  if (place.is_top && place.mount && !principal.scope) co_return item_of(*place.mount);
  CO_TRY(auto entry, co_await stat(place));
  CO_TRY_VOID(co_await recheck(principal));
  co_return item_of(std::move(entry), path.parent(), place);
}

Task<Result<OpenFile>> Files::open(const Principal& principal, const Path& path) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, path));
  std::unique_ptr<storage::Reader> reader = place.backend->open_now(place.path);
  if (!reader) {
    CO_TRY(reader, co_await place.backend->open(place.path));
  }
  CO_TRY_VOID(co_await recheck(principal));
  OpenFile file{place.backend, std::move(reader), place.is_on_server(), {}};
  file.still_allowed = [this, principal, uses = std::vector{MountUse{place.mount, false}}] {
    return still_allowed(principal, uses);
  };
  co_return file;
}

Task<Result<void>> Files::still_allowed(const Principal& principal, std::vector<MountUse> uses) {
  const auto stands = co_await access_recheck_.of_reader(principal, std::move(uses));
  if (auto lost = withdrawal_in(stands)) co_return std::unexpected(*std::move(lost));
  co_return Result<void>{};
}

Task<Result<std::unique_ptr<Upload>>> Files::upload(const Principal& principal, const Path& folder,
                                                    std::optional<std::uint64_t> content_length) {
  co_return co_await begin_upload(principal, folder, std::nullopt, content_length);
}

Task<Result<std::unique_ptr<Upload>>> Files::upload_one(
    const Principal& principal, const Path& file, std::optional<std::uint64_t> content_length) {
  const Path folder = file.parent();
  std::optional<std::string> name(file.name());
  co_return co_await begin_upload(principal, folder, std::move(name), content_length);
}

Task<Result<std::unique_ptr<Upload>>> Files::begin_upload(
    const Principal& principal, const Path& folder, std::optional<std::string> only_name,
    std::optional<std::uint64_t> content_length) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, folder, Access::add));
  CO_TRY_VOID(co_await require_folder(place));
  auto upload =
      std::make_unique<Upload>(principal, place, quota_, access_recheck_, folder_changes_);
  if (only_name) upload->limit_to(*std::move(only_name));
  CO_TRY_VOID(co_await upload->expect(content_length));
  co_return upload;
}

Task<Result<void>> Files::recheck(const Principal& principal, PlaceChange change) {
  std::vector<MountUse> uses = {MountUse{change.place.mount, true}};
  std::vector<PlaceChange> changes = {std::move(change)};
  co_return co_await access_recheck_.of_change(principal, std::move(uses), std::move(changes));
}

Task<Result<void>> Files::recheck(const Principal& principal) {
  if (!principal.scope) co_return Result<void>{};
  co_return co_await access_recheck_.of(principal, {});
}

Task<Result<void>> Files::make_folder(const Principal& principal, const Path& parent,
                                      const Name& name) {
  CO_TRY(const auto place, co_await resolve_new(namespace_, principal, parent, name));
  CO_TRY_VOID(co_await check_missing_folders(place.folder));
  CO_TRY(const auto lock, co_await folder_changes_.lock_scope(principal, place.item));
  CO_TRY_VOID(co_await recheck(principal, write_of(place.item)));
  co_return co_await place.item.backend->make_folder(place.item.path);
}

Task<Result<bool>> Files::make_file(const Principal& principal, const Path& parent,
                                    const Name& name) {
  CO_TRY(const auto place, co_await resolve_new(namespace_, principal, parent, name));
  CO_TRY_VOID(co_await require_folder(place.folder));
  storage::Backend& backend = *place.item.backend;
  storage::WriteOptions options;
  options.if_taken = storage::IfTaken::refuse;
  auto writer = co_await backend.create(place.item.path, std::move(options));
  if (!writer && writer.error().code == ErrorCode::exists) co_return false;
  if (!writer) co_return failure_of(std::move(writer));
  CO_TRY(const auto lock, co_await folder_changes_.lock_scope(principal, place.item));
  CO_TRY_VOID(co_await recheck(principal, write_of(place.item)));
  const auto published = co_await backend.publish({&*writer, 1}, 0);
  if (!published && published.error().code == ErrorCode::exists) co_return false;
  if (!published) co_return failure_of(published);
  co_return true;
}

Task<Result<void>> Files::rename(const Principal& principal, const Path& path,
                                 const Name& new_name) {
  CO_TRY(const auto from, co_await namespace_.resolve(principal, path, Access::write));
  if (from.is_top) co_return fail(ErrorCode::forbidden, "The root itself cannot be renamed.");
  CO_TRY_VOID(check_may_leave(from));
  CO_TRY(const auto to, co_await resolve_new(namespace_, principal, path.parent(), new_name));
  if (to.item.path == from.path) {
    const auto there = co_await from.backend->stat(from.path);
    co_return there ? Result<void>() : failure_of(there);
  }
  co_return co_await move_copy_.rename(principal, from, to.item);
}

Task<Result<Placement>> Files::check_placement(const MoveCopyRequest& request, bool moves) {
  const bool is_within_backend = request.from.shares_backend(request.to);
  // A rename detects it itself, and for a file the taken name does.
  if (is_within_backend && (moves || !request.is_folder)) co_return Placement::apart;
  const auto placement =
      co_await placement_of(namespace_.mounts(), request.from, request.is_folder, request.to);
  if (placement && *placement == Placement::within) co_return into_itself();
  co_return placement;
}

Task<Result<void>> Files::move(const Principal& principal, const Path& from, const Path& to,
                               std::optional<Name> name) {
  MoveCopyCommand command{from, to, std::move(name)};
  command.moves = true;
  CO_TRY(auto request, co_await plan_move_copy(namespace_, principal, std::move(command)));
  CO_TRY(const auto placement, co_await check_placement(request, true));
  if (placement == Placement::same) co_return Result<void>{};
  co_return co_await move_copy_.move(principal, std::move(request));
}

Task<Result<void>> Files::copy(const Principal& principal, const Path& from, const Path& to,
                               std::optional<Name> name) {
  MoveCopyCommand command{from, to, std::move(name)};
  CO_TRY(auto request, co_await plan_move_copy(namespace_, principal, std::move(command)));
  CO_TRY([[maybe_unused]] const auto placement, co_await check_placement(request, false));
  co_return co_await move_copy_.copy(principal, std::move(request));
}

Task<Result<std::vector<std::string>>> Files::properties(const Principal& principal,
                                                         const Path& folder,
                                                         std::vector<std::string> names) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, folder));
  if (!place.backend->keeps_properties()) co_return std::vector<std::string>(names.size());
  std::vector<Path> items;
  for (const std::string& name : names) {
    CO_TRY(const auto tail, Path::parse(name));
    items.push_back(place.path / tail);
  }
  auto texts = co_await place.backend->properties(std::move(items));
  CO_TRY_VOID(co_await recheck(principal));
  co_return texts;
}

Task<Result<void>> Files::change_item(
    const Principal& principal, const Path& item,
    std::function<Task<Result<void>>(const ResolvedPath&)> change) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, item, Access::add));
  CO_TRY_VOID(co_await access_recheck_.of_present(principal, place));
  CO_TRY([[maybe_unused]] const auto entry, co_await stat(place));
  CO_TRY(const auto lock, co_await folder_changes_.lock_scope(principal, place));
  CO_TRY_VOID(co_await recheck(principal, write_of(place)));
  co_return co_await change(place);
}

Task<Result<void>> Files::set_properties(const Principal& principal, const Path& item,
                                         std::string text) {
  auto change = [&text](const ResolvedPath& place) {
    return place.backend->set_properties(place.path, std::move(text));
  };
  co_return co_await change_item(principal, item, std::move(change));
}

Task<Result<void>> Files::set_modified(const Principal& principal, const Path& item,
                                       Timestamp time) {
  auto change = [time](const ResolvedPath& place) {
    return place.backend->set_modified_at(place.path, time);
  };
  co_return co_await change_item(principal, item, std::move(change));
}

Task<Result<std::vector<Mount>>> Files::mounts(const Principal& principal) {
  if (principal.scope) co_return std::vector<Mount>();
  co_return co_await namespace_.mounts().of(principal.account->id);
}

Task<Result<storage::Removed>> Files::remove_with_keys(const Principal& principal,
                                                       ResolvedPath place,
                                                       const ResolvedPath* successor) {
  CO_TRY_VOID(co_await follow_links(place));
  std::optional<ResolvedPath> to;
  if (successor) {
    to = *successor;
    CO_TRY_VOID(co_await follow_links(*to));
  }
  CO_TRY(auto change,
         co_await folder_changes_.begin(principal.account->id, place, to ? &*to : nullptr));
  Result<storage::Removed> removed;
  auto stands = co_await recheck(principal, leave_of(place));
  if (stands) {
    removed = co_await place.backend->remove(place.path);
  } else {
    removed = failure_of(std::move(stands));
  }
  co_await change.end(removed, removed && removed->folders > 0);
  co_return removed;
}

Task<Result<void>> Files::check_replaceable(const Principal& principal, const Path& item) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, item, Access::write));
  co_return co_await recheck(principal, leave_of(place));
}

Task<Result<void>> Files::remove(const Principal& principal, const Path& path,
                                 const ResolvedPath* successor) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, path, Access::write));
  co_return co_await remove(principal, place, successor);
}

Task<Result<void>> Files::remove(const Principal& principal, const ResolvedPath& place,
                                 const ResolvedPath* successor) {
  if (place.is_top) co_return fail(ErrorCode::forbidden, "The root itself cannot be deleted.");
  CO_TRY_VOID(check_may_leave(place));
  Reservation reservation(quota_, place.quota_account);
  // A full catalog records the freed bytes later.
  auto held = co_await reservation.hold();
  if (!held && held.error().code != ErrorCode::disk_full) co_return held;
  CO_TRY(const auto removed, co_await remove_with_keys(principal, place, successor));
  CO_TRY_VOID(co_await reservation.commit(-static_cast<std::int64_t>(removed.all_bytes())));
  if (removed.unsafe) co_return std::unexpected(*removed.unsafe);
  co_return Result<void>{};
}

}  // namespace coffer::core
