#include "backends/rclone/drive_adapter.h"

#include <spdlog/spdlog.h>

#include <boost/json.hpp>
#include <utility>

#include "async/task_group.h"
#include "backends/rclone/metadata.h"
#include "backends/rclone/rclone_job.h"
#include "backends/remote/adapter.h"
#include "backends/remote/removal.h"
#include "backends/remote/walk.h"
#include "base/error.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

/// The parameters that name a file and its place to be, for rclone's calls that take both.
json::object one_to_another(const DriveRemote& remote, const Path& from, const Path& to) {
  return {{"srcFs", remote.fs()},
          {"srcRemote", remote.place(from)},
          {"dstFs", remote.fs()},
          {"dstRemote", remote.place(to)}};
}

json::object folder_to_another(DriveRemote& remote, const Path& from, const Path& to) {
  return {{"srcFs", remote.fs(from)},
          {"dstFs", remote.fs(to)},
          {"createEmptySrcDirs", true},
          {"deleteEmptySrcDirs", true}};
}

Task<Result<void>> run(DriveRemote& remote, std::string_view method, json::object parameters,
                       storage::CopyWatch& watch) {
  CO_TRY(auto job, co_await RcloneJob::start(remote, method, std::move(parameters)));
  co_return co_await job.wait(watch);
}

Task<Result<void>> call(DriveRemote& remote, std::string_view method, json::object parameters) {
  const auto answer = co_await remote.call(method, std::move(parameters));
  if (!answer) co_return failure_of(answer);
  co_return Result<void>{};
}

Task<Result<void>> move_file(DriveRemote& remote, const Path& from, const Path& to) {
  auto parameters = one_to_another(remote, from, to);
  // Copies a file without a look whether the target exists: a copy of the file does no harm.
  parameters["_config"] = {{"IgnoreTimes", true}};
  if (remote.features().moves) {
    co_return co_await call(remote, "operations/movefile", std::move(parameters));
  }
  co_return co_await run(remote, "operations/movefile", std::move(parameters), storage::nobody());
}

/// File by file, where the provider moves no folders.
Task<Result<void>> move_files_of(DriveRemote& remote, const Path& from, const Path& to) {
  CO_TRY(auto job,
         co_await RcloneJob::start(remote, "sync/move", folder_to_another(remote, from, to)));
  auto moved = co_await job.wait(storage::nobody());
  // It may have stopped half-way. Forth and back at once would delete what both take for a copy.
  if (!moved && job.is_over()) {
    auto back = folder_to_another(remote, to, from);
    const auto undone = co_await run(remote, "sync/move", std::move(back), storage::nobody());
    if (!undone)
      spdlog::error(
          "a folder of a drive was moved only in part, and the part could not be moved back");
  }
  co_return moved;
}

Task<Result<void>> move_folder(DriveRemote& remote, const Path& from, const Path& to) {
  if (!remote.features().moves_folders) co_return co_await move_files_of(remote, from, to);
  co_return co_await call(remote, "sync/move", folder_to_another(remote, from, to));
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

/// If the reply is lost, looks whether the new file is on the drive.
Task<bool> shows_new_file(DriveRemote& remote, const Path& path, std::uint64_t size_bytes,
                          Timestamp old_modified_at) {
  const auto item = co_await find(remote, path);
  if (!item || !*item || (*item)->is_folder) co_return false;
  co_return (*item)->size_bytes == size_bytes && (*item)->modified_at != old_modified_at;
}

/// In one step, by the drive itself.
Task<Result<void>> copy_onto(DriveRemote& remote, const Path& from, const Path& to,
                             Timestamp old_modified_at) {
  CO_TRY(const auto source, co_await find(remote, from));
  auto parameters = one_to_another(remote, from, to);
  // A file of the same size and time would not be copied.
  parameters["_config"] = {{"IgnoreTimes", true}};
  auto copied =
      co_await run(remote, "operations/copyfile", std::move(parameters), storage::nobody());
  if (!copied && source) {
    const bool is_shown =
        co_await shows_new_file(remote, to, source->size_bytes.value_or(0), old_modified_at);
    if (is_shown) copied = Result<void>{};
  }
  if (copied) remote.shared.leftovers.add(from.str());
  co_return copied;
}

/// Hidden items are left out, but for the files that keep empty folders.
json::object without_hidden() {
  json::array rules;
  for (const std::string& name :
       {storage::partial_name_glob(), std::string(storage::kStagingFolder),
        std::string(storage::kBinFolder)}) {
    rules.emplace_back("- " + name);
    rules.emplace_back("- " + name + "/**");
  }
  return {{"FilterRule", std::move(rules)}};
}

Task<Result<RcloneJob>> begin(DriveRemote& remote, const Path& from, const Path& to,
                              bool is_folder) {
  json::object parameters;
  if (is_folder) {
    parameters = {{"srcFs", remote.fs(from)},
                  {"dstFs", remote.fs(to)},
                  {"createEmptySrcDirs", true},
                  {"_filter", without_hidden()}};
    co_return co_await RcloneJob::start(remote, "sync/copy", std::move(parameters));
  }
  parameters = one_to_another(remote, from, to);
  co_return co_await RcloneJob::start(remote, "operations/copyfile", std::move(parameters));
}

/// `expected` is what `watch` is to hear of.
Task<Result<void>> copy_whole(DriveRemote& remote, const Path& from, const Path& to,
                              const storage::TreeSize& expected, storage::CopyWatch& watch) {
  CO_TRY(auto job, co_await begin(remote, from, to, expected.folders > 0));
  CO_TRY_VOID(co_await job.wait(watch));
  // rclone does not count bytes that a drive copies by itself.
  if (expected.bytes > job.told_bytes()) watch.wrote(expected.bytes - job.told_bytes());
  for (auto items = expected.files + expected.folders; items > 0; --items) {
    CO_TRY_VOID(storage::go_on(watch));
    watch.completed_item();
  }
  co_return storage::go_on(watch);
}

Task<void> sweep(std::shared_ptr<DriveRemote> remote) {
  DriveAdapter adapter(std::move(remote), {});
  co_await remote::sweep(adapter);
}

}  // namespace

void sweep_behind(std::shared_ptr<DriveRemote> remote) {
  if (remote->upload_server.is_ending() || !remote->shared.leftovers.claim()) return;
  const auto executor = remote->upload_server.executor();
  spawn_background(executor, sweep(std::move(remote)));
}

remote::Capabilities DriveAdapter::capabilities() const {
  const Features features = remote_->features();
  const bool replaces = features.copies && !features.moves;
  return {.replaces = replaces ? remote::Replaces::surely : remote::Replaces::never,
          .moves_folders = features.moves_folders,
          .makes_parents = true,
          .tree_removal = remote::TreeRemoval::whole,
          .copies_trees = true};
}

Task<Result<std::optional<remote::Item>>> DriveAdapter::find(const std::string& place,
                                                             remote::Look look) {
  const Path path = path_of(place);
  if (look == remote::Look::parent && remote_->knows_folder(path)) {
    co_return remote::Item{.kind = remote::Kind::folder};
  }
  const Wanted wanted = look == remote::Look::whole ? Wanted::kind_and_time : Wanted::kind;
  CO_TRY(const auto item, co_await rclone::find(*remote_, path, wanted));
  if (!item) co_return std::nullopt;
  co_return item_of(*item);
}

Task<Result<std::vector<remote::Item>>> DriveAdapter::list(const std::string& folder) {
  const Path path = path_of(folder);
  const auto listing = co_await list_items(*remote_, path);
  std::vector<remote::Item> items;
  if (!listing && remote::is_not_found(listing.error())) co_return items;
  if (!listing) co_return failure_of(listing);
  items.reserve(listing->items.size());
  for (const DriveItem& item : listing->items) items.push_back(item_of(item));
  co_return items;
}

Task<Result<storage::FolderListing>> DriveAdapter::list_shown(const Path& folder) {
  const auto place = co_await place_of(folder);
  const Path path = path_of(*place);
  const auto listing = co_await list_items(*remote_, path, listing_bound());
  // One that is empty, or not to be had, leaves open what the path is.
  const bool is_clear = listing ? !listing->items.empty()
                                : !remote::is_not_found(listing.error()) &&
                                      listing.error().code != ErrorCode::refused;
  if (!is_clear) {
    CO_TRY_VOID(co_await remote::need_folder(*this, *place));
  }
  if (!listing) co_return failure_of(listing);
  storage::FolderListing shown{.left_out = listing->left_out};
  for (const DriveItem& item : listing->items) {
    if (item.name() == storage::kFolderMarker) continue;
    shown.entries.push_back(entry_of(item_of(item)));
    // A file without a size cannot be read, and so not be taken along.
    if (!item.is_folder && !item.size_bytes) shown.holds_unreadable = true;
  }
  co_return shown;
}

Task<Result<void>> DriveAdapter::make_folder(const std::string& folder) {
  const Path path = path_of(folder);
  auto made = co_await make_one(*remote_, path);
  if (made) remote_->note_folder(path);
  co_return made;
}

Task<Result<void>> DriveAdapter::move(const std::string& from, const std::string& to,
                                      remote::Kind kind) {
  const Path source = path_of(from);
  const Path target = path_of(to);
  if (kind != remote::Kind::folder) co_return co_await move_file(*remote_, source, target);
  remote_->forget_folders();
  co_return co_await move_folder(*remote_, source, target);
}

Task<Result<void>> DriveAdapter::replace(const std::string& from, const std::string& to,
                                         const remote::Item* old) {
  const Path source = path_of(from);
  const Path target = path_of(to);
  if (old == nullptr) co_return co_await move_file(*remote_, source, target);
  co_return co_await copy_onto(*remote_, source, target, old->modified_at);
}

Task<Result<void>> DriveAdapter::remove_file(const std::string& file, remote::Kind /*shown_as*/) {
  json::object parameters{{"fs", remote_->fs()}, {"remote", remote_->place(path_of(file))}};
  co_return co_await call(*remote_, "operations/deletefile", std::move(parameters));
}

Task<Result<void>> DriveAdapter::remove_tree(const std::string& top,
                                             const std::vector<remote::TreeItem>& /*items*/) {
  const Path path = path_of(top);
  json::object parameters{{"fs", remote_->fs()}, {"remote", remote_->place(path)}};
  remote_->forget_folders();
  auto removed =
      co_await run(*remote_, "operations/purge", std::move(parameters), storage::nobody());
  if (removed) co_return removed;
  const auto left = co_await rclone::find(*remote_, path);
  if (left && !*left) removed = Result<void>{};
  co_return removed;
}

Task<Result<storage::TreeSize>> DriveAdapter::copy_tree(const remote::Found& from,
                                                        const std::string& to,
                                                        const storage::CopyOptions& options) {
  if (storage::is_hidden_name(remote::name_of(from.place))) co_return remote::fail_missing();
  CO_TRY(const auto expected, co_await remote::measure(*this, from));
  if (expected.bytes > options.limit_bytes) {
    co_return fail_over_quota();
  }
  const Path source = path_of(from.place);
  const Path target = path_of(to);
  CO_TRY_VOID(co_await copy_whole(*remote_, source, target, expected, options.watch));
  CO_TRY(auto made, co_await find(to, remote::Look::sure));
  if (!made) co_return remote::fail_missing();
  const remote::Found copy{to, *std::move(made)};
  CO_TRY(const auto arrived, co_await remote::measure(*this, copy));
  if (arrived != expected) co_return remote::fail_changed();
  co_return expected;
}

/// The change itself was made, so a failure here is only logged.
Task<void> DriveAdapter::keep_folder(std::string folder) {
  if (remote_->features().keeps_empty_folders || folder.empty()) co_return;
  const Path path = path_of(folder);
  const auto item = co_await rclone::find(*remote_, path);
  if (item && *item) co_return;
  Result<void> made;
  if (item) {
    made = co_await make_one(*remote_, path);
  } else {
    made = failure_of(item);
  }
  if (!made) spdlog::warn("an empty folder of a drive could not be kept: {}", made.error().message);
}

}  // namespace coffer::rclone
