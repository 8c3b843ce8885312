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

#include "async/pool.h"
#include "base/id.h"
#include "core/connectors/oauth_server.h"
#include "mounts/rclone_processes.h"
#include "storage/remote.h"

namespace coffer::mounts {

/// How this process reaches servers and drives: where connectors may lead, the threads that wait
/// for them, and rclone. Nothing is started before it is needed. Safe from any thread.
class RemoteAccess final : public core::TokenServers {
 public:
  /// `private_connectors`: all connectors may lead anywhere. rclone keeps its files in `drives`.
  RemoteAccess(bool private_connectors, std::filesystem::path drives)
      : private_connectors_(private_connectors), processes_(std::move(drives)) {}

  /// Connectors that users make lead to public addresses only, unless the settings allow others.
  storage::MayConnect policy_for(bool may_be_private) const;
  /// For what the account's connectors do, and its questions about new ones.
  Pool& pool(AccountId account);
  SharedThreads::Load load() const;
  /// The rclone that serves such drives.
  Result<RcloneProcesses::Parts> processes(bool may_be_private) {
    return processes_.get(policy_for(may_be_private));
  }
  /// As EngineCall says.
  Task<Result<boost::json::object>> call_engine(bool may_be_private, std::string_view method,
                                                boost::json::object parameters);
  Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                     core::CodeGrant grant) override;

  std::stop_token ending() const { return ending_.get_token(); }
  /// For the end of the server: long work on remote servers stops between two of its steps, and
  /// that of drives at once.
  void end() {
    ending_.request_stop();
    processes_.end();
  }

 private:
  const bool private_connectors_;
  std::stop_source ending_;
  mutable std::mutex mutex_;
  std::map<AccountId, std::unique_ptr<Pool>> pools_;
  std::optional<SharedThreads> threads_;  ///< From when a server is first talked to.
  RcloneProcesses processes_;
};

}  // namespace coffer::mounts
