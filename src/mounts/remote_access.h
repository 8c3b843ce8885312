#pragma once

#include <boost/json/object.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "async/pool.h"
#include "backends/rclone/engine/proxy.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/upload_server.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/connector.h"
#include "catalog/place_locks.h"
#include "core/connectors/drive_providers.h"
#include "mounts/drive_engines.h"
#include "mounts/rclone_providers.h"
#include "storage/backend.h"
#include "storage/remote.h"

namespace coffer::mounts {

/// The rclone processes that serve drives, and the local server from which they fetch uploads. Each
/// is started when it is first needed. The confined processes serve the drives that may reach only
/// public addresses (docs/adr/0016-drives-of-users.md). The others serve all other drives. Safe
/// from any thread.
class RcloneProcesses {
 public:
  /// The processes keep all their files in `folder`.
  explicit RcloneProcesses(std::filesystem::path folder);
  ~RcloneProcesses() { end(); }
  RcloneProcesses(const RcloneProcesses&) = delete;
  RcloneProcesses& operator=(const RcloneProcesses&) = delete;

  struct Parts {
    std::shared_ptr<rclone::RcloneProcess> engine;
    rclone::UploadServer& upload_server;
    std::filesystem::path spool;  ///< Here content is collected if its size is not known yet.
  };
  /// Returns the rclone process of the account with the upload server and the spool. The process
  /// stays the account's while Parts::engine is held (see DriveEngines). If `may_connect` is empty,
  /// returns the process that is not confined. Otherwise returns the confined process. The first
  /// call for a confined process sets the rule of all, so later calls must pass the same rule. The
  /// parts live as long as this object. `failed` if the folders of the processes cannot be made.
  Result<Parts> get(std::optional<AccountId> account, const storage::MayConnect& may_connect);
  /// Stops the processes and aborts their work. No process is started afterwards.
  void end();

 private:
  Result<void> prepare();
  std::unique_ptr<rclone::RcloneProcess> make_confined(std::size_t number);

  const std::filesystem::path folder_;
  std::mutex mutex_;
  std::unique_ptr<rclone::Proxy> proxy_;
  DriveEngines confined_;
  DriveEngines unlimited_;
  /// Declared last, so that it is destroyed first: its background work uses the processes.
  std::unique_ptr<rclone::UploadServer> upload_server_;
};

/// The resources that all connectors share: the rule for the addresses that they may reach, the
/// threads that wait for remote servers, and rclone. Threads and processes are started when they
/// are first needed. Safe from any thread.
class RemoteAccess final : public core::TokenServers {
 public:
  /// If `private_connectors`, all connectors may reach private addresses. `drives` is the folder
  /// for the files of rclone. `name_locks` must outlive this object and the backends.
  RemoteAccess(bool private_connectors, std::filesystem::path drives,
               catalog::PlaceLocks& name_locks)
      : private_connectors_(private_connectors),
        name_locks_(name_locks),
        processes_(std::move(drives)) {}

  /// Returns the backend of a connector, opened as `opened`, behind what all connectors have.
  std::shared_ptr<storage::Backend> guarded(std::unique_ptr<storage::Backend> opened,
                                            const catalog::Connector& connector) const;

  /// Returns the rule for the addresses that a connector may reach. It allows all addresses if
  /// `may_be_private` or the setting `private_connectors` is true, otherwise public addresses only.
  storage::MayConnect policy_for(bool may_be_private) const;
  /// Returns the pool whose threads wait for the remote servers of one account. A connector that is
  /// tested before it is added uses this pool too.
  Pool& pool(AccountId account);
  SharedThreads::Load load() const;
  /// Returns the rclone process for a drive of the account, the upload server and the spool. The
  /// process is a confined one if `policy_for` allows only public addresses.
  Result<RcloneProcesses::Parts> processes(std::optional<AccountId> account, bool may_be_private) {
    return processes_.get(account, policy_for(may_be_private));
  }
  /// Begins calls of one run of the user's rclone process; see BeginCalls.
  Task<Result<EngineCall>> begin_calls(EngineUser user);
  Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                     core::CodeGrant grant) override;

  /// The token by which `end` requests a stop.
  std::stop_token ending() const { return ending_.get_token(); }
  /// Ends all work on remote servers and drives, when the program shuts down. Work on an FTP or
  /// SFTP server stops before its next step. Work on a drive is aborted.
  void end() {
    ending_.request_stop();
    processes_.end();
  }

 private:
  const bool private_connectors_;
  catalog::PlaceLocks& name_locks_;
  std::stop_source ending_;
  mutable std::mutex mutex_;
  std::map<AccountId, std::unique_ptr<Pool>> pools_;
  std::optional<SharedThreads> threads_;  ///< Made when a server is first used.
  RcloneProcesses processes_;
};

}  // namespace coffer::mounts
