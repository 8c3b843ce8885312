#include "backends/rclone/drive_copy.h"

#include <boost/json.hpp>
#include <string>
#include <utility>

#include "backends/rclone/drive_adapter.h"
#include "backends/rclone/rclone_job.h"
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

}  // namespace

Task<Result<void>> copy_whole(DriveRemote& remote, const Path& from, const Path& to,
                              const storage::TreeSize& expected, storage::CopyWatch& watch) {
  auto job = co_await begin(remote, from, to, expected.folders > 0);
  if (!job) co_return failure_of(std::move(job));
  auto copied = co_await job->wait(watch);
  if (!copied) co_return copied;
  // What a drive copies by itself rclone does not count.
  if (expected.bytes > job->told_bytes()) watch.wrote(expected.bytes - job->told_bytes());
  for (auto items = expected.files + expected.folders; items > 0; --items) {
    if (auto on = storage::go_on(watch); !on) co_return on;
    watch.completed_item();
  }
  co_return storage::go_on(watch);
}

}  // namespace coffer::rclone
