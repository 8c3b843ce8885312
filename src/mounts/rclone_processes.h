#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "backends/rclone/engine/proxy.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/upload_server.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::mounts {

/// The rclones that serve this process's drives, and where they fetch what they upload; made when
/// they are first asked for. Drives that may lead to public addresses only have one of their own,
/// which is held to that (docs/adr/0016-drives-of-users.md). Safe from any thread.
class RcloneProcesses {
 public:
  /// All of it keeps its files below `folder`.
  explicit RcloneProcesses(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~RcloneProcesses() { end(); }
  RcloneProcesses(const RcloneProcesses&) = delete;
  RcloneProcesses& operator=(const RcloneProcesses&) = delete;

  struct Parts {
    rclone::RcloneProcess& engine;
    rclone::UploadServer& upload_server;
    std::filesystem::path spool;  ///< For content whose size is not known yet.
  };
  /// For drives that may go where `may_connect` lets them, which is always the same, or anywhere.
  /// They live as long as this does. `failed` if their folders cannot be made.
  Result<Parts> get(const storage::MayConnect& may_connect);
  /// Ends what runs, and with it what is under way; nothing is started any more.
  void end();

 private:
  Result<void> prepare();
  rclone::RcloneProcess& unlimited();
  rclone::RcloneProcess& limited(const storage::MayConnect& may_connect);

  const std::filesystem::path folder_;
  std::mutex mutex_;
  std::unique_ptr<rclone::Proxy> proxy_;
  std::unique_ptr<rclone::RcloneProcess> limited_;
  std::unique_ptr<rclone::RcloneProcess> engine_;
  std::unique_ptr<rclone::UploadServer>
      upload_server_;  ///< What is under way in it uses the engines.
};

}  // namespace coffer::mounts
