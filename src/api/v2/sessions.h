#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The caller's own sessions.
std::vector<Route> sessions_routes();

}  // namespace coffer::api::v2
