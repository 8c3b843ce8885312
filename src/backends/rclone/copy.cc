#include <boost/json.hpp>
#include <string>
#include <utility>

#include "backends/rclone/listing.h"
#include "backends/rclone/metadata.h"
#include "backends/rclone/rclone_job.h"
#include "backends/rclone/tree_changes.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

/// What has a hidden name stays behind, but for what keeps an empty folder.
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

/// Collects the copy, and looks whether all of it came.
Task<Result<void>> collect(DriveRemote& remote, const Path& from, const Path& partial,
                           const storage::TreeSize& expected, storage::CopyWatch& watch) {
  auto job = co_await begin(remote, from, partial, expected.folders > 0);
  if (!job) co_return failure_of(std::move(job));
  auto copied = co_await job->wait(watch);
  if (!copied) co_return copied;
  const auto arrived = co_await measure_tree(remote, partial);
  if (!arrived) co_return failure_of(arrived);
  if (*arrived != expected) {
    co_return fail(ErrorCode::conflict,
                   "The source changed while it was copied, so nothing was stored. Try again.");
  }
  // What a drive copies by itself rclone does not count.
  if (expected.bytes > job->told_bytes()) watch.wrote(expected.bytes - job->told_bytes());
  for (auto items = expected.files + expected.folders; items > 0; --items) {
    if (auto on = storage::go_on(watch); !on) co_return on;
    watch.completed_item();
  }
  co_return storage::go_on(watch);
}

Task<Result<void>> show(DriveRemote& remote, const Path& partial, const Path& to, bool is_folder) {
  remote::ServerPaths names{to.str()};
  const auto hold = co_await remote.names.enter(std::move(names));
  auto free = co_await need_free_name(remote, to);
  if (!free) co_return free;
  co_return co_await move_item(remote, partial, to, is_folder);
}

}  // namespace

Task<Result<storage::TreeSize>> copy_item(DriveRemote& remote, const Path& from, const Path& to,
                                          const storage::CopyOptions& options) {
  auto free = co_await need_free_name(remote, to);
  if (!free) co_return failure_of(std::move(free));
  if (storage::is_hidden_name(from.name())) co_return std::unexpected(no_such_item());
  const auto tree = co_await measure_tree(remote, from);
  if (!tree) co_return failure_of(tree);
  const bool is_folder = tree->folders > 0;
  if (is_folder && to.is_within(from)) {
    co_return fail(ErrorCode::invalid, "A folder cannot go into itself.");
  }
  if (tree->bytes > options.limit_bytes) {
    co_return fail(ErrorCode::over_quota, "The storage quota would be exceeded.");
  }
  const auto staging = co_await storage::choose_staging(options, to);
  if (!staging) co_return failure_of(staging);
  const Path partial = to.parent() / Path::parse(*staging).value();
  auto copied = co_await collect(remote, from, partial, *tree, options.watch);
  if (copied) copied = co_await may_show(options);
  if (copied) copied = co_await show(remote, partial, to, is_folder);
  if (copied) co_return *tree;
  // Who stopped it may wait for this; after a failure of the drive it is done behind.
  if (!options.watch.was_cancelled()) {
    remote.discard(partial);
    co_return failure_of(std::move(copied));
  }
  const auto gone = co_await delete_item(remote, partial, is_folder);
  if (!gone) remote.discard(partial);
  co_return failure_of(std::move(copied));
}

}  // namespace coffer::rclone
