#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "core/connectors/connector_settings.h"

/// The output of `rclone authorize`, which runs where a browser is.
namespace coffer::app {

/// Returns the parameters of a printed login: the JSON of a token, or base64 of a JSON object of
/// parameters with a token, with or without the lines that rclone prints around it. `invalid` if
/// there is no token; the message does not repeat the text.
Result<core::DriveParameters> login_of(std::string_view pasted);

/// False if the text begins a login that ends on a later line.
bool is_whole_login(std::string_view pasted);

}  // namespace coffer::app
