#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// What changes, as it happens.
std::vector<Route> event_routes();

}  // namespace coffer::api::v2
