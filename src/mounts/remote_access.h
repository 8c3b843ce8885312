#pragma once

#include <sys/socket.h>

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
#include "core/connectors/drive_providers.h"
#include "storage/remote.h"

namespace coffer::mounts {

/// True if the address is one of the public Internet: not this machine, not link-local, not of a
/// private network, not multicast, and none of the addresses that IANA keeps for special purposes
/// (RFC 6890); an IPv4 address in an IPv6 one counts as itself.
bool is_public_address(const sockaddr& address);

/// Returns the rule for a connector's addresses: null if it may lead anywhere, else public
/// addresses alone.
storage::MayConnect policy_for(bool may_be_private);

/// The rclone processes of this program's drives, and the server where they fetch uploads; made
/// when they are first needed. Drives that may reach public addresses alone have a process of their
/// own, which is confined (docs/adr/0016-drives-of-users.md). Safe from any thread.
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
    std::filesystem::path spool;  ///< A folder for content of unknown size.
  };
  /// Returns the engine for drives that may lead where `may_connect`, which is always the same,
  /// lets them, or anywhere. The parts live as long as this object. `failed` if their folders
  /// cannot be made.
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
  std::unique_ptr<rclone::UploadServer> upload_server_;  ///< Its work uses the engines.
};

/// The way to servers and drives: the addresses that connectors may reach, the threads that wait
/// for servers, and rclone. Each part is started when it is needed. Safe from any thread.
class RemoteAccess final : public core::TokenServers {
 public:
  /// `private_connectors`: all connectors may lead anywhere. rclone keeps its files in `drives`.
  RemoteAccess(bool private_connectors, std::filesystem::path drives)
      : private_connectors_(private_connectors), processes_(std::move(drives)) {}

  /// Connectors that users make lead to public addresses only, unless the settings allow others.
  storage::MayConnect policy_for(bool may_be_private) const;
  /// Returns the threads of the account's connectors, also of new ones that are being checked.
  Pool& pool(AccountId account);
  SharedThreads::Load load() const;
  /// The rclone that serves such drives.
  Result<RcloneProcesses::Parts> processes(bool may_be_private) {
    return processes_.get(policy_for(may_be_private));
  }
  /// Calls the engine as EngineCall says.
  Task<Result<boost::json::object>> call_engine(bool may_be_private, std::string_view method,
                                                boost::json::object parameters);
  Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                     core::CodeGrant grant) override;

  std::stop_token ending() const { return ending_.get_token(); }
  /// Ends the work on servers and drives at the end of the program: long work on servers between
  /// two of its steps, that of drives at once.
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
