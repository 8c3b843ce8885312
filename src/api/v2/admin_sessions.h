#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The sessions of all accounts, for administrators.
std::vector<Route> admin_session_routes();

}  // namespace coffer::api::v2
