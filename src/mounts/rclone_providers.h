#pragma once

#include <utility>

#include "core/connectors/drive_providers.h"
#include "mounts/drive_login.h"
#include "storage/remote.h"

namespace coffer::mounts {

/// `invalid` if the allow-list refuses the drive, or if it is clear already that it leads where
/// `may_connect`, if it is one, does not let it.
Result<void> check_drive(const core::ConnectorSettings& settings,
                         const storage::MayConnect& may_connect);

/// What the allow-list and rclone know of cloud providers. Safe from any thread.
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
