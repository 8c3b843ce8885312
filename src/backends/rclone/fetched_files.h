#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "async/task.h"
#include "backends/rclone/drive_item.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/rclone_process.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::rclone {

/// Small files that rclone fetched together into its memory (its remote `:memory:`), with one
/// listing of their folder and one request for each. Asked for one by one, each would be looked up
/// first. They are dropped, behind, with this object, or when the engine ends.
class FetchedFiles {
 public:
  /// What could be fetched of `files`, which `folder` listed. Fails when it was stopped, or rclone
  /// cannot be asked.
  static Task<Result<std::shared_ptr<FetchedFiles>>> fetch(std::shared_ptr<DriveRemote> remote,
                                                           const Path& folder,
                                                           std::span<const storage::Entry> files,
                                                           const storage::CopyWatch& watch);
  ~FetchedFiles();
  FetchedFiles(const FetchedFiles&) = delete;
  FetchedFiles& operator=(const FetchedFiles&) = delete;

  /// What rclone holds, with the times that the drive gave.
  const std::vector<DriveItem>& items() const { return items_; }
  const std::string& fs() const { return fs_; }
  DriveRemote& remote() const { return *remote_; }
  /// The life of the engine that holds them.
  const RcloneInstance& run() const { return *run_; }

 private:
  FetchedFiles(std::shared_ptr<DriveRemote> remote, RcloneProcess::Run run, std::string fs)
      : remote_(std::move(remote)), run_(std::move(run)), fs_(std::move(fs)) {}

  const std::shared_ptr<DriveRemote> remote_;
  const RcloneProcess::Run run_;
  const std::string fs_;
  std::vector<DriveItem> items_;
};

/// rclone's `_filter` for these items directly in a folder, and nothing else.
boost::json::object only_named(std::span<const storage::Entry> items);

}  // namespace coffer::rclone
