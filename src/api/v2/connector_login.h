#pragma once

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// Where providers send people back to: a page of the interface, at the origin of who asks.
/// The query that they come with is a secret.
inline constexpr std::string_view kLoginReturnPath = "/settings/connectors/authorized";

/// Logins to drives where a browser is.
Route connector_login_route();

}  // namespace coffer::api::v2
