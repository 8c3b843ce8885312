#include "backends/rclone/tree_changes.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "backends/rclone/drive_upload.h"
#include "backends/rclone/listing.h"
#include "backends/rclone/metadata.h"
#include "backends/rclone/rclone_job.h"
#include "base/ascii.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

json::object folder_to_another(DriveRemote& remote, const Path& from, const Path& to) {
  return {{"srcFs", remote.fs(from)},
          {"dstFs", remote.fs(to)},
          {"createEmptySrcDirs", true},
          {"deleteEmptySrcDirs", true}};
}

Task<Result<void>> run(DriveRemote& remote, std::string_view method, json::object parameters,
                       storage::CopyWatch& watch) {
  auto job = co_await RcloneJob::start(remote, method, std::move(parameters));
  if (!job) co_return failure_of(std::move(job));
  co_return co_await job->wait(watch);
}

Task<Result<void>> call(DriveRemote& remote, std::string_view method, json::object parameters) {
  const auto answer = co_await remote.call(method, std::move(parameters));
  if (!answer) co_return failure_of(answer);
  co_return Result<void>{};
}

Task<Result<void>> move_file(DriveRemote& remote, const Path& from, const Path& to) {
  auto parameters = one_to_another(remote, from, to);
  // Whether the target is there was looked at; a copy of the file is as good as none.
  parameters["_config"] = {{"IgnoreTimes", true}};
  if (remote.features().moves) {
    co_return co_await call(remote, "operations/movefile", std::move(parameters));
  }
  co_return co_await run(remote, "operations/movefile", std::move(parameters), storage::nobody());
}

/// File by file, where the provider moves no folders.
Task<Result<void>> move_files_of(DriveRemote& remote, const Path& from, const Path& to) {
  auto job = co_await RcloneJob::start(remote, "sync/move", folder_to_another(remote, from, to));
  if (!job) co_return failure_of(std::move(job));
  auto moved = co_await job->wait(storage::nobody());
  // It may have stopped half-way. Forth and back at once would delete what both take for a copy.
  if (!moved && job->is_over()) {
    auto back = folder_to_another(remote, to, from);
    const auto undone = co_await run(remote, "sync/move", std::move(back), storage::nobody());
    if (!undone) spdlog::error("a folder of a drive was moved in part and not back");
  }
  co_return moved;
}

Task<Result<void>> move_folder(DriveRemote& remote, const Path& from, const Path& to) {
  if (!remote.features().moves_folders) co_return co_await move_files_of(remote, from, to);
  co_return co_await call(remote, "sync/move", folder_to_another(remote, from, to));
}

/// What is left of a removal that failed must not stay hidden.
Task<bool> show_again(DriveRemote& remote, const Path& hidden, const Path& folder) {
  const auto moved_back = co_await move_item(remote, hidden, folder, true);
  if (moved_back) co_return true;
  const Path other = storage::backup_of(folder);
  const auto shown = co_await move_item(remote, hidden, other, true);
  co_return shown.has_value();
}

/// Out of sight in one step, where there is one; then bit by bit.
Task<Result<void>> remove_folder(DriveRemote& remote, const Path& folder) {
  if (!remote.features().moves_folders) co_return co_await delete_item(remote, folder, true);
  const Path hidden = storage::partial_beside(folder);
  auto moved = co_await move_item(remote, folder, hidden, true);
  if (!moved) co_return moved;
  auto deleted = co_await delete_item(remote, hidden, true);
  if (deleted) co_return deleted;
  const bool is_shown = co_await show_again(remote, hidden, folder);
  if (is_shown) co_return deleted;
  // Where it cannot be shown again it is as good as removed, and the rest of it goes behind.
  remote.discard(hidden);
  co_return Result<void>{};
}

/// Nothing above the folder is a file, and how much of the way is there.
Task<Result<void>> check_way(DriveRemote& remote, const Path& folder) {
  for (Path above = folder; !above.is_root(); above = above.parent()) {
    if (remote.knows_folder(above)) break;
    const auto item = co_await find(remote, above);
    if (!item) co_return failure_of(item);
    if (!*item) continue;
    if ((*item)->is_folder) break;
    co_return fail(ErrorCode::invalid, "A file is where a folder is needed.");
  }
  co_return Result<void>{};
}

Task<Result<void>> make_one(DriveRemote& remote, const Path& folder) {
  const std::string place = remote.place(folder);
  const bool is_bucket = !place.contains('/');
  if (remote.features().keeps_empty_folders || is_bucket) {
    json::object parameters{{"fs", remote.fs()}, {"remote", place}};
    co_return co_await call(remote, "operations/mkdir", std::move(parameters));
  }
  co_return co_await upload_nothing(remote, folder / Path::parse(storage::kFolderMarker).value());
}

/// On a drive that does not tell case, the new name shows the item itself: the listing tells.
Task<Result<bool>> is_same_item(DriveRemote& remote, const Path& from, const Path& to) {
  if (from == to) co_return true;
  if (!equal_ignoring_case(from.str(), to.str())) co_return false;
  const auto beside = co_await list_items(remote, to.parent());
  if (!beside) co_return failure_of(beside);
  co_return std::ranges::find(beside->items, to.name(), &DriveItem::name) == beside->items.end();
}

std::unexpected<Error> into_itself() {
  return fail(ErrorCode::invalid, "A folder cannot go into itself.");
}

}  // namespace

json::object one_to_another(const DriveRemote& remote, const Path& from, const Path& to) {
  return {{"srcFs", remote.fs()},
          {"srcRemote", remote.place(from)},
          {"dstFs", remote.fs()},
          {"dstRemote", remote.place(to)}};
}

Task<Result<void>> move_item(DriveRemote& remote, const Path& from, const Path& to,
                             bool is_folder) {
  if (is_folder) remote.forget_folders();
  auto moving = is_folder ? move_folder(remote, from, to) : move_file(remote, from, to);
  auto moved = co_await std::move(moving);
  if (moved) co_return moved;
  // Whatever it failed with: rclone tries again by itself, and is refused what is done already.
  const auto left = co_await find(remote, from);
  if (!left || *left) co_return moved;
  const auto arrived = co_await find(remote, to);
  if (arrived && *arrived) co_return Result<void>{};
  co_return moved;
}

Task<Result<void>> delete_item(DriveRemote& remote, const Path& path, bool is_folder) {
  json::object parameters{{"fs", remote.fs()}, {"remote", remote.place(path)}};
  if (is_folder) remote.forget_folders();
  auto deleting = is_folder
                      ? run(remote, "operations/purge", std::move(parameters), storage::nobody())
                      : call(remote, "operations/deletefile", std::move(parameters));
  auto deleted = co_await std::move(deleting);
  if (deleted) co_return deleted;
  const auto left = co_await find(remote, path);
  if (left && !*left) co_return Result<void>{};
  co_return deleted;
}

Task<void> keep_folder(DriveRemote& remote, const Path& folder) {
  if (remote.features().keeps_empty_folders || folder.is_root()) co_return;
  const auto item = co_await find(remote, folder);
  if (item && *item) co_return;
  Result<void> made;
  if (item) {
    made = co_await make_one(remote, folder);
  } else {
    made = failure_of(item);
  }
  if (!made) spdlog::warn("an empty folder of a drive was not kept: {}", made.error().message);
}

Task<Result<void>> make_folders(DriveRemote& remote, const Path& folder) {
  if (folder.is_root()) co_return std::unexpected(name_taken());
  remote::ServerPaths names{folder.str()};
  const auto hold = co_await remote.names.enter(std::move(names));
  const auto item = co_await find(remote, folder);
  if (!item) co_return failure_of(item);
  if (*item) co_return std::unexpected(name_taken());
  auto clear = co_await check_way(remote, folder.parent());
  if (!clear) co_return clear;
  auto made = co_await make_one(remote, folder);
  if (made) remote.note_folder(folder);
  co_return made;
}

Task<Result<void>> rename_item(DriveRemote& remote, const Path& from, const Path& to) {
  remote::ServerPaths names{from.str(), to.str()};
  const auto hold = co_await remote.names.enter(std::move(names));
  const auto item = co_await metadata_of(remote, from);
  if (!item) co_return failure_of(item);
  if (to != from && to.is_within(from)) co_return into_itself();
  const auto same = co_await is_same_item(remote, from, to);
  if (!same) co_return failure_of(same);
  if (!*same) {
    auto free = co_await need_free_name(remote, to);
    if (!free) co_return free;
  }
  if (from == to) co_return Result<void>{};
  auto moved = co_await move_item(remote, from, to, item->is_folder);
  if (!moved) co_return moved;
  co_await keep_folder(remote, from.parent());
  co_return moved;
}

Task<Result<storage::TreeSize>> remove_item(DriveRemote& remote, const Path& path) {
  // Where nothing goes out of sight in one step, one of many that remove an item must win.
  std::optional<Gate::Pass> pass;
  if (!remote.features().moves_folders) pass.emplace(co_await remote.removals.enter());
  const auto tree = co_await measure_tree(remote, path);
  if (!tree) co_return failure_of(tree);
  const bool is_folder = tree->folders > 0;
  auto removing = is_folder ? remove_folder(remote, path) : delete_item(remote, path, false);
  auto removed = co_await std::move(removing);
  if (!removed) co_return failure_of(std::move(removed));
  co_await keep_folder(remote, path.parent());
  co_return *tree;
}

}  // namespace coffer::rclone
