#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/rclone/drive_remote.h"
#include "backends/remote/adapter.h"

namespace coffer::rclone {

/// One operation on a drive. Its coroutines wait without a thread. Whatever a call failed with, it
/// may have been done: rclone tries again by itself, and is refused what is done already.
class DriveAdapter final : public remote::Adapter {
 public:
  DriveAdapter(std::shared_ptr<DriveRemote> remote, Path base)
      : Adapter(remote->shared, std::move(base)), remote_(std::move(remote)) {}

  remote::Capabilities capabilities() const override;
  Result<void> go_on() const override { return storage::go_on(remote_->options.deadlines); }
  bool is_unsure() const override { return true; }

  Task<Result<std::optional<remote::Item>>> find(const std::string& place,
                                                 remote::Look look) override;
  /// A folder that is gone, or one that a provider without folders does not know, is listed as
  /// empty.
  Task<Result<std::vector<remote::Item>>> list(const std::string& folder) override;
  Task<Result<remote::ShownFolder>> list_shown(const Path& folder) override;
  Task<Result<void>> make_folder(const std::string& folder) override;
  /// To a name that must be free: rclone would delete what is there first, or, where sizes and
  /// times are alike, drop the item and call it done.
  Task<Result<void>> move(const std::string& from, const std::string& to,
                          remote::Kind kind) override;
  /// Copies onto the name if the drive can do nothing else; otherwise does the same as `move`.
  Task<Result<void>> replace(const std::string& from, const std::string& to,
                             const remote::Item* old) override;
  Task<Result<void>> remove_file(const std::string& file, remote::Kind shown_as) override;
  Task<Result<void>> remove_tree(const std::string& top,
                                 const std::vector<remote::TreeItem>& items) override;
  Task<Result<storage::TreeSize>> copy_tree(const remote::Found& from, const std::string& to,
                                            const storage::CopyOptions& options) override;
  /// On a provider without folders, an empty folder would vanish.
  Task<void> keep_folder(std::string folder) override;

 private:
  const std::shared_ptr<DriveRemote> remote_;
};

/// Deletes what is left over, behind.
void sweep_behind(std::shared_ptr<DriveRemote> remote);

}  // namespace coffer::rclone
