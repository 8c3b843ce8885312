#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string_view>
#include <utility>

#include "async/task.h"
#include "backends/rclone/providers/providers.h"
#include "base/error.h"
#include "core/connectors/connector_settings.h"
#include "core/connectors/drive_providers.h"
#include "storage/remote.h"

namespace coffer::mounts {

/// Calls one method of the remote control of an rclone process, and returns the response.
/// `may_be_private` selects the process: the one for drives that may reach private addresses, or
/// the confined one. `method` must outlive the task. Safe from any thread.
using EngineCall = std::function<Task<Result<boost::json::object>>(
    bool may_be_private, std::string_view method, boost::json::object parameters)>;

/// Completes a login with the parameter `token` of the settings. Goes through the dialogue that
/// rclone has for the provider, and answers each question with the value that rclone proposes.
/// Returns the given parameters and those that rclone has added, which may include some that are
/// not allowed. Given values stay as they are, except `token`, which rclone may rewrite. Errors of
/// the provider are reported in Coffer's own words. `invalid` if:
/// - the settings have no token
/// - a question has no proposal
/// - the dialogue does not end
Task<Result<core::DriveParameters>> log_in(const EngineCall& call,
                                           core::ConnectorSettings settings);

/// Returns rclone's configuration for a drive of these settings.
inline rclone::RemoteConfig config_of(const core::ConnectorSettings& settings) {
  return {settings.provider, settings.parameters};
}

/// `invalid` if the allow-list refuses the drive, or if it is clear without connecting that the
/// drive leads to an address that `may_connect` does not allow. An empty `may_connect` allows all
/// addresses.
Result<void> check_drive(const core::ConnectorSettings& settings,
                         const storage::MayConnect& may_connect);

/// The cloud providers that both the allow-list and rclone know. Safe from any thread.
class RcloneProviders final : public core::DriveProviders {
 public:
  /// If `private_connectors`, all drives may reach private addresses.
  explicit RcloneProviders(EngineCall call, bool private_connectors = false)
      : call_(std::move(call)), private_connectors_(private_connectors) {}

  Result<void> check_options(const core::ConnectorSettings& settings) override;
  core::DriveParameters only_allowed(std::string_view type,
                                     core::DriveParameters parameters) override;
  /// `check` and `check_before_login` also refuse addresses that the drive may not reach.
  Result<void> check(const core::ConnectorSettings& settings) override;
  Result<void> check_before_login(const core::ConnectorSettings& settings) override;
  bool is_address(std::string_view type, std::string_view parameter) override;
  bool is_secret(std::string_view type, std::string_view parameter) override;
  std::string account_of(std::string_view type, std::string_view parameter,
                         std::string_view value) override;
  bool uses_oauth(std::string_view type) override;
  std::optional<core::OAuthServer> oauth_server(const core::ConnectorSettings& settings) override;
  Task<Result<std::vector<core::DriveProvider>>> list() override;
  Task<Result<core::DriveParameters>> log_in(core::ConnectorSettings settings) override;

 private:
  const EngineCall call_;
  const bool private_connectors_;
};

}  // namespace coffer::mounts
