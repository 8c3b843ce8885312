#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "backends/local/local_store.h"
#include "core/connectors/connector_health.h"
#include "core/connectors/connector_settings.h"
#include "core/connectors/drive_settings.h"
#include "core/connectors/oauth_server.h"
#include "core/connectors/sealer.h"
#include "core/namespace/mounts.h"
#include "core/tasks/work_pools.h"
#include "mounts/rclone_processes.h"
#include "storage/remote.h"

namespace coffer::mounts {

struct MountOptions {
  std::filesystem::path data;       ///< The installation's own folder.
  bool durable = true;              ///< What is stored in shares outlives a power failure.
  bool private_connectors = false;  ///< Users' own connectors may lead to private addresses.
};

/// The backends of shares and connectors, each made when it is first asked for and kept while it is
/// used, with its connections. Safe from any thread.
class MountBackends final : public core::MountBackends,
                            public core::ConnectorHealth,
                            public core::TokenServers {
 public:
  /// Of `options.data` nothing can be shared. The store and `pools` are for the disks of this
  /// machine: servers that do not answer must not hold their threads.
  MountBackends(const MountOptions& options, const core::Sealer& sealer, local::LocalStore& store,
                core::WorkPools& pools)
      : data_(options.data),
        durable_(options.durable),
        private_connectors_(options.private_connectors),
        sealer_(sealer),
        store_(store),
        pools_(pools),
        rclone_processes_(data_ / "drives") {}

  Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Share& share) override;
  Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Connector& connector) override;
  Task<std::vector<std::string>> folders_of(std::span<const catalog::Share> shares) override;
  Task<Result<std::string>> host_key(const core::ConnectorSettings& settings) override;

  core::ServerHealth health_of(const ConnectorId& connector) override;

  Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                     core::CodeGrant grant) override;

  /// As EngineCall says.
  Task<Result<boost::json::object>> call_engine(bool may_be_private, std::string_view method,
                                                boost::json::object parameters);

  /// Called with the tokens that drives renew, by any thread, with the connector as it was read
  /// some time before. To be said before a drive is asked for.
  using KeepToken = std::function<void(const catalog::Connector&, const std::string& token)>;
  void on_token(KeepToken keep) { keep_token_ = std::move(keep); }

  /// For the end of the server: long work on remote servers stops between two of its steps, and
  /// that of drives at once.
  void end() {
    ending_.request_stop();
    rclone_processes_.end();
  }

 private:
  using Made = Result<std::shared_ptr<storage::Backend>>;
  struct Kept {
    std::string description;  ///< All that the backend was made of.
    std::shared_ptr<storage::Backend> backend;
    std::chrono::steady_clock::time_point used_at;
  };
  /// The backend of that id, made by `make` on a thread of `pool` if there is none of this
  /// description: looking at a folder may take long, and so may the end of one that is let go.
  Task<Made> keep(std::string id, std::string description, std::function<Made()> make, Pool& pool);
  /// Whether the folder that was opened is still there, and not another in its place.
  static Task<bool> stands(const storage::Backend& opened, const std::string& folder, Pool& pool);
  Task<void> let_go(const std::string& id, std::shared_ptr<storage::Backend> backend, Pool& pool);
  /// One that is being opened, for all who ask for it meanwhile.
  struct Opening {
    std::mutex mutex;  ///< Held by the one that opens it.
    std::optional<Made> made;
  };
  std::shared_ptr<Opening> opening_of(const std::string& key);
  std::shared_ptr<storage::Backend> find(const std::string& id, const std::string& description);
  Made add(const std::string& id, const std::string& description, Made made);
  Made make(const catalog::Share& share);
  Made make(const catalog::Connector& connector);
  Made make_ftp(const core::ConnectorSettings& settings, const core::ConnectorSecret& secret,
                const catalog::Connector& connector);
  Made make_sftp(const core::ConnectorSettings& settings, const core::ConnectorSecret& secret,
                 const catalog::Connector& connector);
  /// The settings have their parameters; the connector tells whose token to keep.
  Made make_drive(const core::DriveSettings& settings, const catalog::Connector& connector);
  /// Waits for the disk.
  Task<std::string> folder_of(const catalog::Share& share);
  void note_secret(const catalog::Connector& connector);
  /// The token of a drive that was asked for, as the catalog had it last; empty if it has none.
  std::string stored_token(const catalog::Connector& connector);
  /// With what both protocols need.
  template <class Options>
  Options options_for(const core::ConnectorSettings& settings) const;
  /// Whether the connector may lead anywhere; nothing is refused then.
  storage::MayConnect policy_for(bool may_be_private) const;
  /// For what the account's connectors do; or for what belongs to none.
  Pool& remote_pool(AccountId account);

  const std::filesystem::path data_;
  const bool durable_;
  const bool private_connectors_;
  const core::Sealer& sealer_;
  local::LocalStore& store_;
  core::WorkPools& pools_;
  std::stop_source ending_;
  std::mutex remote_mutex_;
  std::map<AccountId, std::unique_ptr<Pool>> remote_pools_;
  std::optional<SharedThreads> remote_threads_;  ///< From when a server is first talked to.
  // What the engines have under way may use these to their end.
  KeepToken keep_token_;
  std::mutex mutex_;
  std::map<std::string, std::string> sealed_secrets_;  ///< Of drives by id, as they were read last.
  RcloneProcesses rclone_processes_;
  std::map<std::string, Kept> kept_;
  std::map<std::string, std::weak_ptr<Opening>> openings_;
};

}  // namespace coffer::mounts
