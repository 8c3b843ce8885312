#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "core/connectors/connector_settings.h"

/// The output of `rclone authorize`, which runs where a browser is.
namespace coffer::app {

/// The parameters of a login as it was printed: the JSON of a token, or base64 of a JSON object of
/// parameters with one, with or without the lines around it. `invalid`, without repeating anything,
/// for what holds no token.
Result<core::DriveParameters> login_of(std::string_view pasted);

/// True unless the rest of a text that was begun is still to come.
bool is_whole_login(std::string_view pasted);

}  // namespace coffer::app
