#pragma once

#include <string>

#include "core/connectors/drive_providers.h"

namespace coffer::core {

/// The command to run where a browser is, for people: `rclone authorize` with such settings, of
/// which it shows no secret.
std::string authorize_command(const ConnectorSettings& settings, DriveProviders& providers);

/// The variable in whose value that command finds the `client_secret`; empty where there is none.
std::string authorize_environment(const ConnectorSettings& settings);

}  // namespace coffer::core
