#include "core/unpack_target.h"

#include <set>
#include <utility>

#include "core/free_name.h"
#include "core/move_copy_request.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;

constexpr std::string_view kIsFolder = "A folder has its name there.";
constexpr std::string_view kIsFile = "A file has its name there.";

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

Task<Result<Path>> UnpackTarget::settle_top(const Path& folder) {
  if (folder.is_root()) co_return folder;
  const std::string top(folder.front());
  const auto known = own_tops_.find(top);
  const bool asks = on_conflict_ == OnConflict::fail || on_conflict_ == OnConflict::keep_both;
  if (known == own_tops_.end() && asks) {
    const Path place = beginning(folder, 1);
    const auto there = co_await look(place);
    if (!there) co_return failure_of(there);
    std::string name = top;
    if (*there && on_conflict_ == OnConflict::fail) co_return taken(place);
    if (*there) {
      auto other = co_await free_name(place);
      if (!other) co_return failure_of(std::move(other));
      name = *std::move(other);
    }
    own_tops_.emplace(top, std::move(name));
  }
  const auto own = own_tops_.find(top);
  if (own == own_tops_.end() || own->second == top) co_return folder;
  co_return Path() / Name::parse(own->second).value() / folder.without_front();
}

Task<Result<std::string>> UnpackTarget::free_name(const Path& place) {
  auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
  if (!ns) co_return failure_of(std::move(ns));
  const auto folder = co_await resolve(*ns, place.parent());
  if (!folder) co_return failure_of(folder);
  const auto entries = co_await folder->backend->list(folder->path);
  if (!entries) co_return failure_of(entries);
  // The name that it was to have is taken, by whatever the listing leaves out.
  std::set<std::string> taken{std::string(place.name())};
  for (const storage::Entry& entry : *entries) taken.insert(entry.name);
  co_return free_name_for(std::string(place.name()), taken);
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
  const auto there = co_await look(target);
  if (!there) co_return failure_of(there);
  if (*there && on_conflict_ == OnConflict::fail) co_return taken(target);
  if (*there && on_conflict_ == OnConflict::keep_both) {
    const auto name = co_await free_name(target);
    if (!name) co_return failure_of(name);
    target = way->folder / Name::parse(*name).value();
  } else if (*there && (*there)->is_directory) {
    file.obstacle = kIsFolder;
  } else if (*there && on_conflict_ == OnConflict::skip) {
    file.obstacle = "Its name is taken there.";
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
