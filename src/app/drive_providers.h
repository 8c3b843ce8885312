#pragma once

#include <utility>

#include "app/engine_call.h"
#include "core/drive_providers.h"

namespace coffer::app {

/// What the allow-list and rclone know of cloud providers. Safe from any thread.
class DriveProviders final : public core::DriveProviders {
 public:
  explicit DriveProviders(EngineCall call) : call_(std::move(call)) {}

  Result<void> check_options(const core::DriveSettings& settings) override;
  Result<void> check(const core::DriveSettings& settings) override;
  Result<void> check_before_login(const core::DriveSettings& settings) override;
  bool is_address(std::string_view type, std::string_view parameter) override;
  bool is_secret(std::string_view type, std::string_view parameter) override;
  bool uses_oauth(std::string_view type) override;
  Task<Result<std::vector<core::DriveProvider>>> list() override;
  Task<Result<core::DriveParameters>> log_in(core::DriveSettings settings) override;

 private:
  const EngineCall call_;
};

}  // namespace coffer::app
