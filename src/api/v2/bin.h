#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// /api/v2/bin and what is below.
std::vector<Route> bin_routes();

}  // namespace coffer::api::v2
