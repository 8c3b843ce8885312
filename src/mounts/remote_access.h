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

/// True if the address is globally reachable: not loopback, link-local, private, multicast, or
/// reserved by IANA for a special purpose (RFC 6890). An IPv6 address that stands for an IPv4
/// address (IPv4-mapped, NAT64) is judged by the IPv4 address.
bool is_public_address(const sockaddr& address);

/// Returns the rule for the addresses of a connector: empty, which allows all addresses, if
/// `may_be_private`; otherwise public addresses only.
storage::MayConnect policy_for(bool may_be_private);

/// The rclone processes that serve drives, and the server from which they fetch uploads. Each is
/// made when it is first needed. Drives that may reach public addresses only have a process of
/// their own, which is confined (docs/adr/0016-drives-of-users.md). Safe from any thread.
class RcloneProcesses {
 public:
  /// All files of the processes are kept below `folder`.
  explicit RcloneProcesses(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~RcloneProcesses() { end(); }
  RcloneProcesses(const RcloneProcesses&) = delete;
  RcloneProcesses& operator=(const RcloneProcesses&) = delete;

  struct Parts {
    rclone::RcloneProcess& engine;
    rclone::UploadServer& upload_server;
    std::filesystem::path spool;  ///< A folder for content of unknown size.
  };
  /// Returns the rclone process for drives, with the upload server and the spool. An empty
  /// `may_connect` allows all addresses and selects the process that is not confined. Otherwise
  /// every call must pass the same rule. The parts live as long as this object. `failed` if their
  /// folders cannot be made.
  Result<Parts> get(const storage::MayConnect& may_connect);
  /// Stops the processes, which aborts their work. None is started afterwards.
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
  /// Declared last, and so destroyed first, because its work uses the processes.
  std::unique_ptr<rclone::UploadServer> upload_server_;
};

/// Access to servers and drives: the addresses that connectors may reach, the threads that wait for
/// servers, and rclone. Each part is started when it is first needed. Safe from any thread.
class RemoteAccess final : public core::TokenServers {
 public:
  /// If `private_connectors`, all connectors may reach private addresses. rclone's files are in
  /// `drives`.
  RemoteAccess(bool private_connectors, std::filesystem::path drives)
      : private_connectors_(private_connectors), processes_(std::move(drives)) {}

  /// Returns the rule for the addresses of a connector: public addresses only, unless
  /// `may_be_private` or the setting `private_connectors` allows all.
  storage::MayConnect policy_for(bool may_be_private) const;
  /// Returns the threads for the account's connectors, including a new one that is being tested.
  Pool& pool(AccountId account);
  SharedThreads::Load load() const;
  /// Returns the rclone process for drives: the confined one, unless `may_be_private` or the
  /// setting `private_connectors` allows all addresses.
  Result<RcloneProcesses::Parts> processes(bool may_be_private) {
    return processes_.get(policy_for(may_be_private));
  }
  /// Calls the rclone process; see EngineCall.
  Task<Result<boost::json::object>> call_engine(bool may_be_private, std::string_view method,
                                                boost::json::object parameters);
  Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                     core::CodeGrant grant) override;

  /// Requested when `end` is called.
  std::stop_token ending() const { return ending_.get_token(); }
  /// Ends the work on servers and drives, at the end of the program. Long work on a server stops
  /// before its next step; work on a drive stops at once.
  void end() {
    ending_.request_stop();
    processes_.end();
  }

 private:
  const bool private_connectors_;
  std::stop_source ending_;
  mutable std::mutex mutex_;
  std::map<AccountId, std::unique_ptr<Pool>> pools_;
  std::optional<SharedThreads> threads_;  ///< Made when a server is first used.
  RcloneProcesses processes_;
};

}  // namespace coffer::mounts
