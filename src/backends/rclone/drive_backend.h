#pragma once

#include <memory>

#include "async/pool.h"
#include "backends/rclone/drive_options.h"
#include "backends/remote/remote_backend.h"

namespace coffer::rclone {

class UploadServer;
class RcloneProcess;
class DriveRemote;

/// A folder of a cloud drive, accessed through rclone. Drives differ from other backends:
///
/// - Drives cannot move an item on condition that the new name is free. So a call first checks the
///   name (`exists` if it is taken), and then moves the item. In between, another client of the
///   drive may take the name. Calls through this backend and its views do not race with each other.
/// - Some providers (such as S3) store only files. There, a hidden empty file keeps an empty folder
///   from vanishing. A folder is moved file by file, so other clients may see a half-moved folder.
/// - New content is uploaded under a hidden partial name beside its target, unless
///   WriteOptions::out_of_sight is set. Most drives cannot replace a file in one step, so the old
///   file is first renamed to a backup name. For a moment, no file has the target's name.
/// - The precision of modification times depends on the provider.
class DriveBackend final : public remote::RemoteBackend {
 public:
  /// Opens the backend without contacting the drive. `invalid` if `check` (providers.h) refuses the
  /// configuration, or the root is not a valid path. `upload_server` and `pool` must outlive
  /// the backend, its readers and its writers, which hold `engine`.
  static Result<std::unique_ptr<DriveBackend>> open(DriveOptions options,
                                                    std::shared_ptr<RcloneProcess> engine,
                                                    UploadServer& upload_server, Pool& pool);
  ~DriveBackend() override;

  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  bool opens_together() const override { return true; }
  /// Returns false, because on some providers rclone moves a folder file by file.
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
