#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "async/task.h"
#include "backends/rclone/providers/providers.h"
#include "base/error.h"
#include "base/id.h"
#include "core/connectors/connector_settings.h"
#include "core/connectors/drive_providers.h"
#include "storage/remote.h"

namespace coffer::mounts {

/// Whose rclone process is called: each account has its own.
struct EngineUser {
  std::optional<AccountId> account;  ///< Absent for calls that concern no account.
  /// Selects the process for drives that may reach private addresses instead of the confined one.
  bool may_be_private = false;

  auto operator<=>(const EngineUser&) const = default;
};

/// Calls one method of the remote control of a run of rclone, and returns the response. All calls
/// of one EngineCall go to the same run, which is held meanwhile. `method` must outlive the task.
/// Safe from any thread.
using EngineCall = std::function<Task<Result<boost::json::object>>(std::string_view method,
                                                                   boost::json::object parameters)>;
/// Begins calls for a user. Safe from any thread.
using BeginCalls = std::function<Task<Result<EngineCall>>(EngineUser user)>;

/// Completes the parameters of a drive after a login, whose result is the parameter `token`. rclone
/// asks questions that depend on the provider. This function answers each with the value that
/// rclone proposes, or with an empty text if an optional question has no proposal. Returns the
/// given parameters, and those that rclone has added, even if Coffer does not allow them. Given
/// values stay as they are, except that rclone may rewrite the `token`. Error messages do not
/// contain the provider's text. `invalid` if:
/// - the settings have no token
/// - a required question has no proposal, or rclone asks too many questions
Task<Result<core::DriveParameters>> log_in(const BeginCalls& begin, AccountId account,
                                           core::ConnectorSettings settings);

inline rclone::RemoteConfig config_of(const core::ConnectorSettings& settings) {
  return {settings.provider, settings.parameters};
}

/// Checks a drive's settings without connecting. An empty `may_connect` allows all addresses.
/// `invalid` if:
/// - the table of allowed providers and parameters (rclone::check) refuses the settings
/// - the settings name an address that `may_connect` does not allow
Result<void> check_drive(const core::ConnectorSettings& settings,
                         const storage::MayConnect& may_connect);

/// The cloud providers that rclone supports and Coffer's table allows. Safe from any thread.
class RcloneProviders final : public core::DriveProviders {
 public:
  /// If `private_connectors`, all drives may reach private addresses.
  explicit RcloneProviders(BeginCalls begin, bool private_connectors = false)
      : begin_(std::move(begin)), private_connectors_(private_connectors) {}

  Result<void> check_options(const core::ConnectorSettings& settings) override;
  core::DriveParameters only_allowed(std::string_view type,
                                     core::DriveParameters parameters) override;
  /// Here `check` and `check_before_login` also refuse addresses that the drive must not reach.
  Result<void> check(const core::ConnectorSettings& settings) override;
  Result<void> check_before_login(const core::ConnectorSettings& settings) override;
  bool is_address(std::string_view type, std::string_view parameter) override;
  bool is_secret(std::string_view type, std::string_view parameter) override;
  std::string account_of(std::string_view type, std::string_view parameter,
                         std::string_view value) override;
  bool uses_oauth(std::string_view type) override;
  std::optional<core::OAuthServer> oauth_server(const core::ConnectorSettings& settings) override;
  Task<Result<std::vector<core::DriveProvider>>> list() override;
  Task<Result<core::DriveParameters>> log_in(AccountId account,
                                             core::ConnectorSettings settings) override;

 private:
  const BeginCalls begin_;
  const bool private_connectors_;
};

}  // namespace coffer::mounts
