#pragma once

#include <memory>

#include "async/pool.h"
#include "backends/rclone/drive_options.h"
#include "backends/remote/remote_backend.h"

namespace coffer::rclone {

class UploadServer;
class RcloneProcess;
class DriveRemote;

/// A folder of a cloud drive, through rclone. What drives lack:
///
/// - Nothing takes a name only if it is free. `exists` is found by looking first; between the look
///   and the move another client may take the name. Callers of one backend and its views do not
///   race.
/// - Where a provider knows only files (S3 and the like), a folder without any is kept by a hidden
///   empty file, and moving a folder moves its files one by one: others see it happen.
/// - Content is collected under a partial name beside its target, where that shows; what replaces a
/// file lets it go
///   under a backup name first, so that for a moment none is there. Partial names do not show.
/// - Times are as the provider keeps them.
class DriveBackend final : public remote::RemoteBackend {
 public:
  /// Does not look for the drive. `invalid` for a configuration that `check` refuses or a root that
  /// is no path. All arguments must outlive the backend, its readers and writers.
  static Result<std::unique_ptr<DriveBackend>> open(DriveOptions options, RcloneProcess& engine,
                                                    UploadServer& upload_server, Pool& pool);
  ~DriveBackend() override;

  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  bool opens_together() const override { return true; }
  /// Object stores copy every file.
  bool renames_in_one_step() const override { return false; }
  Task<std::vector<std::unique_ptr<storage::Reader>>> open_together(
      const Path& folder, std::span<const storage::Entry> files,
      const storage::CopyWatch& watch) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  DriveBackend(std::shared_ptr<DriveRemote> remote, Path base);
  Task<std::unique_ptr<remote::Adapter>> begin(remote::Use use) override;
  void sweep_behind() override;

  std::shared_ptr<DriveRemote> remote_;  ///< Shared with the views, readers and writers.
  Path base_;
};

}  // namespace coffer::rclone
