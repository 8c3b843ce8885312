#include "core/batch/unpack_target.h"

#include <utility>

#include "core/files/move_copy_service.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;

constexpr std::string_view kIsFolder = "A folder has its name there.";
constexpr std::string_view kIsFile = "A file has its name there.";
/// So many names are tried where others take each at the same moment.
constexpr int kMostNames = 1000;

std::unexpected<Error> taken(const Path& place) {
  return fail(ErrorCode::exists, "The name \"" + place.str() + "\" is taken.");
}

/// The first components of a path, so many.
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
  way_ = Path();
  // Its folders are not those that came of another archive.
  if (on_conflict_ == OnConflict::keep_both) own_tops_.clear();
}

Task<Result<ResolvedPath>> UnpackTarget::resolve(Namespace& ns, const Path& place) {
  auto found = co_await ns.resolve_for_writing(folder_);
  if (found) found->path = found->path / place;
  co_return found;
}

Task<Result<std::optional<storage::Entry>>> UnpackTarget::look(const Path& place) {
  auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
  if (!ns) co_return failure_of(std::move(ns));
  const auto found = co_await resolve(*ns, place);
  if (!found) co_return failure_of(found);
  auto entry = co_await found->backend->stat(found->path);
  if (entry) co_return *std::move(entry);
  const bool is_missing =
      entry.error().code == ErrorCode::not_found || entry.error().code == ErrorCode::invalid;
  if (is_missing) co_return std::nullopt;
  co_return failure_of(std::move(entry));
}

/// At the account's root some names are kept.
Task<Result<UnpackTarget::Obstacle>> UnpackTarget::check_top(const Path& place) {
  auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
  if (!ns) co_return failure_of(std::move(ns));
  const auto folder = co_await resolve(*ns, Path());
  if (!folder) co_return failure_of(folder);
  auto allowed = check_new_name(*ns, *folder, place.front());
  co_return allowed ? Obstacle() : std::move(allowed).error().message;
}

Task<Result<void>> UnpackTarget::check_free(const Path& place, const PackedItem& item) {
  const bool is_folder = item.kind == PackedItem::Kind::folder;
  const Path top = beginning(place, 1);
  const bool is_in_folder = is_folder || place.depth() > 1;
  if (place.is_root() || (is_in_folder && checked_tops_.contains(top.str()))) {
    co_return Result<void>{};
  }
  const auto there = co_await look(top);
  if (!there) co_return failure_of(there);
  if (*there) co_return taken(top);
  if (is_in_folder) checked_tops_.insert(top.str());
  co_return Result<void>{};
}

/// A name that is taken is not simply gone over.
bool UnpackTarget::asks() const {
  return on_conflict_ == OnConflict::fail || on_conflict_ == OnConflict::keep_both;
}

Task<Result<bool>> UnpackTarget::take_if_free(Spot& spot) {
  // Folders further down are the archive's own.
  if (spot.place.depth() == 1) {
    auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
    if (!ns) co_return failure_of(std::move(ns));
    auto place = co_await resolve(*ns, spot.place);
    if (!place) co_return failure_of(std::move(place));
    auto claim = co_await services_.move_copy.claim(principal_.account->id, *place);
    if (!claim && claim.error().code == ErrorCode::exists) co_return false;
    // Where the folder is missing nothing has the name, and what is begun there says so.
    const bool is_missing = !claim && claim.error().code == ErrorCode::not_found;
    if (!claim && !is_missing) co_return failure_of(std::move(claim));
    if (claim) spot.claim.emplace(*std::move(claim));
  }
  const auto there = co_await look(spot.place);
  if (!there) co_return failure_of(there);
  co_return !there->has_value();
}

Task<Result<UnpackTarget::Spot>> UnpackTarget::find_spot(Path place) {
  Path tried = place;
  for (int i = 0; i < kMostNames; ++i) {
    Spot spot{.place = tried};
    const auto is_free = co_await take_if_free(spot);
    if (!is_free) co_return failure_of(is_free);
    if (*is_free) co_return spot;
    if (on_conflict_ == OnConflict::fail) break;
    auto other = co_await another_place(place);
    if (!other) co_return failure_of(std::move(other));
    tried = *std::move(other);
  }
  co_return taken(place);
}

/// Makes the folder, so that it is this task's alone; the name that it got.
Task<Result<std::string>> UnpackTarget::make_top(const Path& place) {
  for (int i = 0; i < kMostNames; ++i) {
    const auto spot = co_await find_spot(place);
    if (!spot) co_return failure_of(spot);
    const auto made =
        co_await services_.files.make_folder(principal_, folder_, name_of(spot->place));
    if (made) co_return std::string(spot->place.name());
    if (made.error().code != ErrorCode::exists) co_return failure_of(made);
  }
  co_return taken(place);
}

Task<Result<Path>> UnpackTarget::settle_top(const Path& folder) {
  if (folder.is_root()) co_return folder;
  const std::string top(folder.front());
  if (asks() && !own_tops_.contains(top)) {
    auto name = co_await make_top(beginning(folder, 1));
    if (!name) co_return failure_of(std::move(name));
    own_tops_.emplace(top, *std::move(name));
  }
  const auto own = own_tops_.find(top);
  if (own == own_tops_.end() || own->second == top) co_return folder;
  co_return Path() / Name::parse(own->second).value() / folder.without_front();
}

/// One that was not tried yet, for a place that is taken.
Task<Result<Path>> UnpackTarget::another_place(const Path& place) {
  const Path parent = place.parent();
  auto names = taken_names_.find(parent.str());
  if (names == taken_names_.end()) {
    auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
    if (!ns) co_return failure_of(std::move(ns));
    const auto folder = co_await resolve(*ns, parent);
    if (!folder) co_return failure_of(folder);
    const auto entries = co_await folder->backend->list(folder->path);
    if (!entries) co_return failure_of(entries);
    names = taken_names_.try_emplace(parent.str()).first;
    for (const storage::Entry& entry : *entries) names->second.add(entry.name);
  }
  // Whatever has it may be what listings leave out.
  names->second.add(std::string(place.name()));
  std::string name = names->second.free_name_for(std::string(place.name()));
  names->second.add(name);
  co_return parent / Name::parse(name).value();
}

/// So that something can be made in the folder.
Task<Result<UnpackTarget::Obstacle>> UnpackTarget::open_way(const Path& folder) {
  for (std::size_t depth = 1; depth <= folder.depth(); ++depth) {
    const Path part = beginning(folder, depth);
    if (way_.is_within(part)) continue;
    const auto there = co_await look(part);
    if (!there) co_return failure_of(there);
    if (*there && !(*there)->is_directory) co_return Obstacle(kIsFile);
    if (*there) continue;
    const Path path = path_of(folder);
    auto made = co_await services_.files.make_folder(principal_, path.parent(), name_of(path));
    if (!made && made.error().code != ErrorCode::exists) co_return failure_of(std::move(made));
    if (!made) {
      const auto again = co_await look(folder);
      if (!again) co_return failure_of(again);
      if (!*again || !(*again)->is_directory) co_return Obstacle(kIsFile);
    }
    break;
  }
  way_ = folder;
  co_return Obstacle();
}

Task<Result<UnpackTarget::Obstacle>> UnpackTarget::make_folder(const Path& place) {
  auto obstacle = co_await check_top(place);
  if (!obstacle || !obstacle->empty()) co_return obstacle;
  const auto settled = co_await settle_top(place);
  if (!settled) co_return failure_of(settled);
  co_return co_await open_way(*settled);
}

/// The folder that it goes to, as it is called here, once that is there.
Task<Result<UnpackTarget::Way>> UnpackTarget::way_to(const Path& place) {
  Way way;
  auto obstacle = co_await check_top(place);
  if (!obstacle) co_return failure_of(std::move(obstacle));
  way.obstacle = *std::move(obstacle);
  if (!way.obstacle.empty()) co_return way;
  auto folder = co_await settle_top(place.parent());
  if (!folder) co_return failure_of(std::move(folder));
  way.folder = *std::move(folder);
  obstacle = co_await open_way(way.folder);
  if (!obstacle) co_return failure_of(std::move(obstacle));
  way.obstacle = *std::move(obstacle);
  co_return way;
}

Task<Result<UnpackTarget::NewFile>> UnpackTarget::begin_file(const Path& place,
                                                             const PackedItem& item) {
  NewFile file;
  auto way = co_await way_to(place);
  if (!way) co_return failure_of(std::move(way));
  file.obstacle = std::move(way->obstacle);
  if (!file.obstacle.empty()) co_return file;
  Path target = way->folder / name_of(place);
  if (asks()) {
    auto spot = co_await find_spot(std::move(target));
    if (!spot) co_return failure_of(std::move(spot));
    target = std::move(spot->place);
    file.claim = std::move(spot->claim);
  } else {
    const auto there = co_await look(target);
    if (!there) co_return failure_of(there);
    if (*there && (*there)->is_directory) {
      file.obstacle = kIsFolder;
    } else if (*there && on_conflict_ == OnConflict::skip) {
      file.obstacle = "Its name is taken there.";
    }
  }
  if (!file.obstacle.empty()) co_return file;
  auto upload = co_await begin_upload(target, item);
  if (!upload) co_return failure_of(std::move(upload));
  file.upload = *std::move(upload);
  co_return file;
}

Task<Result<std::unique_ptr<Upload>>> UnpackTarget::begin_upload(const Path& target,
                                                                 const PackedItem& item) {
  const Path folder = path_of(target.parent());
  auto upload = co_await services_.files.upload(principal_, folder, item.size_bytes);
  if (!upload) co_return upload;
  storage::WriteOptions options;
  const bool replaces = on_conflict_ == OnConflict::replace;
  options.if_taken = replaces ? storage::IfTaken::replace : storage::IfTaken::refuse;
  options.modified_at = item.modified_at;
  options.size_bytes = item.size_bytes;
  auto begun = co_await (*upload)->begin_file(target.name(), std::move(options));
  if (!begun) co_return failure_of(std::move(begun));
  co_return upload;
}

}  // namespace coffer::core
