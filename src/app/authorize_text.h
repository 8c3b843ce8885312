#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "core/connectors/connector_settings.h"

/// The output of `rclone authorize`, which the user runs on a computer with a browser.
namespace coffer::app {

/// Parses the output of `rclone authorize` and returns the drive's parameters. Accepts a token as
/// JSON, or a JSON object of parameters with a token in base64. Ignores the lines that rclone
/// prints around it. `invalid` if there is no token; the message does not repeat the text.
Result<core::DriveParameters> login_of(std::string_view pasted);

/// Returns false if the login is incomplete and continues on a later line.
bool is_whole_login(std::string_view pasted);

}  // namespace coffer::app
