#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/rclone/drive_remote.h"
#include "backends/remote/adapter.h"

namespace coffer::rclone {

/// Sends the requests of one backend operation to a drive, through rclone. Occupies no thread while
/// it waits. A call that fails may have made its change nevertheless: rclone retries a request by
/// itself, and the drive refuses the second attempt if the first one succeeded.
class DriveAdapter final : public remote::Adapter {
 public:
  DriveAdapter(std::shared_ptr<DriveRemote> remote, Path base)
      : Adapter(remote->shared, std::move(base)), remote_(std::move(remote)) {}

  remote::Capabilities capabilities() const override;
  Result<void> go_on() const override { return storage::go_on(remote_->options.deadlines); }
  bool is_unsure() const override { return true; }

  Task<Result<std::optional<remote::Item>>> find(const std::string& place,
                                                 remote::Look look) override;
  /// Unlike Adapter::list, returns an empty list if the folder is missing.
  Task<Result<std::vector<remote::Item>>> list(const std::string& folder) override;
  Task<Result<storage::FolderListing>> list_shown(const Path& folder) override;
  Task<Result<void>> make_folder(const std::string& folder) override;
  /// Moves an item to the name `to`, which must be free. If it is taken, rclone may delete files at
  /// `from` or at `to`, and report success.
  Task<Result<void>> move(const std::string& from, const std::string& to,
                          remote::Kind kind) override;
  /// If `old` is null, moves the file to the name `to`, which must be free. Otherwise copies the
  /// file at `from` over the file at `to` in one step, and adds the file at `from` to the leftovers
  /// (remote::Leftovers).
  Task<Result<void>> replace(const std::string& from, const std::string& to,
                             const remote::Item* old) override;
  Task<Result<void>> remove_file(const std::string& file, remote::Kind shown_as) override;
  Task<Result<void>> remove_tree(const std::string& top,
                                 const std::vector<remote::TreeItem>& items) override;
  Task<Result<storage::TreeSize>> copy_tree(const remote::Found& from, const std::string& to,
                                            const storage::CopyOptions& options) override;
  /// If the provider stores only files, a folder vanishes when its last item is removed. Recreates
  /// such a folder by creating a hidden file in it. Failures are only logged.
  Task<void> keep_folder(std::string folder) override;

 private:
  const std::shared_ptr<DriveRemote> remote_;
};

/// Deletes the leftovers of the drive (remote::Leftovers) in the background.
void sweep_behind(std::shared_ptr<DriveRemote> remote);

}  // namespace coffer::rclone
