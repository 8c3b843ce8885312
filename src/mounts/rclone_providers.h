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

/// One call of the remote control of the rclone that serves such drives: a method, which lives
/// until the task ends, and its parameters. Safe from any thread.
using EngineCall = std::function<Task<Result<boost::json::object>>(
    bool may_be_private, std::string_view method, boost::json::object parameters)>;

/// The parameters of a remote that is logged in to with the parameter `token`, after the dialogue
/// that rclone holds for its provider: each question is answered with what rclone proposes. What
/// was given stays, but for the token, which rclone may write in another way. Not all that comes
/// back need be allowed. `invalid` for a question without a proposal and for a dialogue without an
/// end; what the provider refuses is said in Coffer's own words.
Task<Result<core::DriveParameters>> log_in(const EngineCall& call,
                                           core::ConnectorSettings settings);

/// Returns rclone's configuration for a drive of these settings.
inline rclone::RemoteConfig config_of(const core::ConnectorSettings& settings) {
  return {settings.provider, settings.parameters};
}

/// `invalid` if the allow-list refuses the drive, or if it is clear already that it leads where
/// `may_connect`, if it is one, does not let it.
Result<void> check_drive(const core::ConnectorSettings& settings,
                         const storage::MayConnect& may_connect);

/// The cloud providers that the allow-list and rclone know. Safe from any thread.
class RcloneProviders final : public core::DriveProviders {
 public:
  /// `private_connectors`: all drives may lead anywhere.
  explicit RcloneProviders(EngineCall call, bool private_connectors = false)
      : call_(std::move(call)), private_connectors_(private_connectors) {}

  /// The checks of what is whole refuse addresses as well that the drive may not lead to.
  Result<void> check_options(const core::ConnectorSettings& settings) override;
  core::DriveParameters only_allowed(std::string_view type,
                                     core::DriveParameters parameters) override;
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
