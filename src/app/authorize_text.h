#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "core/connectors/connector_settings.h"

/// The output of `rclone authorize`, which a user runs on a computer with a browser to log in.
namespace coffer::app {

/// Parses the output of `rclone authorize` into the drive's parameters. Accepts a token as JSON, or
/// a JSON object in base64 whose members are parameters, among them `token`. Ignores the lines that
/// rclone prints around it. `invalid` if there is no token; the message does not quote `pasted`.
Result<core::DriveParameters> login_of(std::string_view pasted);

/// Returns true if `pasted` contains a complete login; false if more lines must be read.
bool is_whole_login(std::string_view pasted);

}  // namespace coffer::app
