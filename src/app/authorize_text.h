#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "core/connectors/connector_settings.h"

/// The output of `rclone authorize`, which the user runs on a computer with a browser.
namespace coffer::app {

/// Parses the output of `rclone authorize` into the drive's parameters. Accepts a token as JSON, or
/// the base64 of a JSON object of parameters with a member `token`. Ignores the lines that rclone
/// prints around the login. `invalid` if there is no token; the message does not quote the text.
Result<core::DriveParameters> login_of(std::string_view pasted);

/// Returns true if the text has a whole login; false if a part of the login is still to be read.
bool is_whole_login(std::string_view pasted);

}  // namespace coffer::app
