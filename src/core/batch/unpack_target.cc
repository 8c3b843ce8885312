#include "core/batch/unpack_target.h"

#include <utility>

#include "core/files/move_copy_service.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;

constexpr std::string_view kIsFolder = "A folder has its name there.";
constexpr std::string_view kIsFile = "A file has its name there.";
/// The number of tries if others take the free names at the same moment.
constexpr int kMostNames = 1000;

std::unexpected<Error> taken(const Path& place) {
  return fail(ErrorCode::exists, "The name \"" + place.str() + "\" is taken.");
}

/// The first `depth` components of a path.
Path beginning(const Path& path, std::size_t depth) {
  Path cut = path;
  while (cut.depth() > depth) cut = cut.parent();
  return cut;
}

Name name_of(const Path& place) {
  return Name::parse(place.name()).value();
}

}  // namespace

UnpackTarget::UnpackTarget(Services services, Principal principal, Path folder,
                           OnConflict on_conflict)
    : services_(services),
      principal_(std::move(principal)),
      folder_(std::move(folder)),
      on_conflict_(on_conflict) {}

void UnpackTarget::begin_archive() {
  last_folder_ = Path();
  // Its folders are not those that came of another archive.
  if (on_conflict_ == OnConflict::keep_both) own_tops_.clear();
}

Task<Result<ResolvedPath>> UnpackTarget::resolve(const Path& place) {
  auto found = co_await services_.ns.resolve(principal_, folder_, Access::add);
  if (found) found->path = found->path / place;
  co_return found;
}

Task<Result<std::optional<storage::Entry>>> UnpackTarget::stat(const Path& place) {
  CO_TRY(const auto found, co_await resolve(place));
  auto entry = co_await found.backend->stat(found.path);
  if (entry) co_return *std::move(entry);
  const bool is_missing =
      entry.error().code == ErrorCode::not_found || entry.error().code == ErrorCode::invalid;
  if (is_missing) co_return std::nullopt;
  co_return failure_of(std::move(entry));
}

/// Checks for names that are reserved at the account's root.
Task<Result<UnpackTarget::SkipReason>> UnpackTarget::check_top(const Path& place) {
  CO_TRY(const auto folder, co_await resolve(Path()));
  auto allowed = check_new_name(folder, place.front());
  co_return allowed ? SkipReason() : std::move(allowed).error().message;
}

Task<Result<void>> UnpackTarget::check_free(const Path& place, const PackedItem& item) {
  const bool is_folder = item.kind == PackedItem::Kind::folder;
  const Path top = beginning(place, 1);
  const bool is_in_folder = is_folder || place.depth() > 1;
  if (place.is_root() || (is_in_folder && checked_tops_.contains(top.str()))) {
    co_return Result<void>{};
  }
  CO_TRY(const auto there, co_await stat(top));
  if (there) co_return taken(top);
  if (is_in_folder) checked_tops_.insert(top.str());
  co_return Result<void>{};
}

/// True if a taken name needs a decision instead of a merge.
bool UnpackTarget::needs_free_name() const {
  return on_conflict_ == OnConflict::fail || on_conflict_ == OnConflict::keep_both;
}

Task<Result<bool>> UnpackTarget::claim_if_free(FreePlace& free) {
  // Folders further down are the archive's own.
  if (free.place.depth() == 1) {
    CO_TRY(auto place, co_await resolve(free.place));
    auto claim = co_await services_.move_copy.claim_target(principal_.account->id, place);
    if (!claim && claim.error().code == ErrorCode::exists) co_return false;
    // Where the folder is missing nothing has the name, and what is begun there says so.
    const bool is_missing = !claim && claim.error().code == ErrorCode::not_found;
    if (!claim && !is_missing) co_return failure_of(std::move(claim));
    if (claim) free.claim.emplace(*std::move(claim));
  }
  CO_TRY(const auto there, co_await stat(free.place));
  co_return !there.has_value();
}

Task<Result<UnpackTarget::FreePlace>> UnpackTarget::find_free_place(Path place) {
  Path tried = place;
  for (int i = 0; i < kMostNames; ++i) {
    FreePlace free{.place = tried};
    CO_TRY(const auto is_free, co_await claim_if_free(free));
    if (is_free) co_return free;
    if (on_conflict_ == OnConflict::fail) break;
    CO_TRY(auto other, co_await another_place(place));
    tried = std::move(other);
  }
  co_return taken(place);
}

/// The target folder is not made again once it was there. Call it while a claim in it is held, so
/// that it is not renamed behind the look.
Task<Result<void>> UnpackTarget::check_stays() {
  CO_TRY(const auto there, co_await stat(Path()));
  if (!there && was_there_) {
    co_return fail(ErrorCode::conflict, "The destination was deleted or moved meanwhile.");
  }
  was_there_ = true;
  co_return Result<void>{};
}

/// Keeps the target folder from being renamed while a folder in it is made.
Task<Result<std::optional<TargetClaims::Claim>>> UnpackTarget::hold_for(const Path& folder) {
  CO_TRY(auto place, co_await resolve(folder));
  auto claim = co_await services_.move_copy.claim_target(principal_.account->id, place);
  CO_TRY_VOID(co_await check_stays());
  if (claim) co_return std::optional(*std::move(claim));
  if (claim.error().code == ErrorCode::conflict) co_return failure_of(std::move(claim));
  co_return std::nullopt;  // Another one has it, or the folder is not there yet.
}

/// Creates a folder for this task alone and returns its name.
Task<Result<std::string>> UnpackTarget::make_top(const Path& place) {
  for (int i = 0; i < kMostNames; ++i) {
    CO_TRY(const auto free, co_await find_free_place(place));
    CO_TRY_VOID(co_await check_stays());
    const auto made =
        co_await services_.files.make_folder(principal_, folder_, name_of(free.place));
    if (made) co_return std::string(free.place.name());
    if (made.error().code != ErrorCode::exists) co_return failure_of(made);
  }
  co_return taken(place);
}

Task<Result<Path>> UnpackTarget::rename_top(const Path& folder) {
  if (folder.is_root()) co_return folder;
  const std::string top(folder.front());
  if (needs_free_name() && !own_tops_.contains(top)) {
    CO_TRY(auto name, co_await make_top(beginning(folder, 1)));
    own_tops_.emplace(top, std::move(name));
  }
  const auto own = own_tops_.find(top);
  if (own == own_tops_.end() || own->second == top) co_return folder;
  co_return Path() / Name::parse(own->second).value() / folder.without_front();
}

/// Returns a path that was not tried yet, for a taken one.
Task<Result<Path>> UnpackTarget::another_place(const Path& place) {
  const Path parent = place.parent();
  auto names = taken_names_.find(parent.str());
  if (names == taken_names_.end()) {
    CO_TRY(const auto folder, co_await resolve(parent));
    CO_TRY(const auto entries, co_await folder.backend->list(folder.path));
    names = taken_names_.try_emplace(parent.str()).first;
    for (const storage::Entry& entry : entries) names->second.add(entry.name);
  }
  // Whatever has it may be what listings leave out.
  names->second.add(std::string(place.name()));
  std::string name = names->second.free_name_for(std::string(place.name()));
  names->second.add(name);
  co_return parent / Name::parse(name).value();
}

/// Creates the folder and its missing parents.
Task<Result<UnpackTarget::SkipReason>> UnpackTarget::make_parents(const Path& folder) {
  for (std::size_t depth = 1; depth <= folder.depth(); ++depth) {
    const Path part = beginning(folder, depth);
    if (last_folder_.is_within(part)) continue;
    CO_TRY(const auto there, co_await stat(part));
    if (there && !there->is_directory) co_return SkipReason(kIsFile);
    if (there) continue;
    CO_TRY(const auto held, co_await hold_for(part));
    const Path path = path_of(folder);
    auto made = co_await services_.files.make_folder(principal_, path.parent(), name_of(path));
    if (!made && made.error().code != ErrorCode::exists) co_return failure_of(std::move(made));
    if (!made) {
      CO_TRY(const auto again, co_await stat(folder));
      if (!again || !again->is_directory) co_return SkipReason(kIsFile);
    }
    break;
  }
  last_folder_ = folder;
  co_return SkipReason();
}

Task<Result<UnpackTarget::SkipReason>> UnpackTarget::make_folder(const Path& place) {
  auto reason = co_await check_top(place);
  if (!reason || !reason->empty()) co_return reason;
  CO_TRY(const auto settled, co_await rename_top(place));
  co_return co_await make_parents(settled);
}

/// Creates the item's target folder and returns its path with the names used here.
Task<Result<UnpackTarget::Parent>> UnpackTarget::parent_of(const Path& place) {
  Parent parent;
  CO_TRY(parent.reason, co_await check_top(place));
  if (!parent.reason.empty()) co_return parent;
  CO_TRY(parent.folder, co_await rename_top(place.parent()));
  CO_TRY(parent.reason, co_await make_parents(parent.folder));
  co_return parent;
}

Task<Result<UnpackTarget::NewFile>> UnpackTarget::begin_file(const Path& place,
                                                             const PackedItem& item) {
  NewFile file;
  CO_TRY(auto parent, co_await parent_of(place));
  file.reason = std::move(parent.reason);
  if (!file.reason.empty()) co_return file;
  Path target = parent.folder / name_of(place);
  if (needs_free_name()) {
    CO_TRY(auto free, co_await find_free_place(std::move(target)));
    target = std::move(free.place);
    file.claim = std::move(free.claim);
  } else {
    CO_TRY(const auto there, co_await stat(target));
    if (there && there->is_directory) {
      file.reason = kIsFolder;
    } else if (there && on_conflict_ == OnConflict::skip) {
      file.reason = "Its name is taken there.";
    }
  }
  if (!file.reason.empty()) co_return file;
  CO_TRY(file.upload, co_await begin_upload(target, item));
  co_return file;
}

Task<Result<std::unique_ptr<Upload>>> UnpackTarget::begin_upload(const Path& target,
                                                                 const PackedItem& item) {
  const Path folder = path_of(target.parent());
  CO_TRY(auto upload, co_await services_.files.upload(principal_, folder, item.size_bytes));
  storage::WriteOptions options;
  const bool replaces = on_conflict_ == OnConflict::replace;
  options.if_taken = replaces ? storage::IfTaken::replace : storage::IfTaken::refuse;
  options.modified_at = item.modified_at;
  options.size_bytes = item.size_bytes;
  CO_TRY_VOID(co_await upload->begin_file(target.name(), std::move(options)));
  co_return upload;
}

}  // namespace coffer::core
