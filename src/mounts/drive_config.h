#pragma once

#include "backends/rclone/providers/providers.h"
#include "core/connectors/connector_settings.h"

namespace coffer::mounts {

/// What rclone is to be configured with for a drive of these settings.
inline rclone::RemoteConfig config_of(const core::ConnectorSettings& settings) {
  return {settings.provider, settings.parameters};
}

}  // namespace coffer::mounts
