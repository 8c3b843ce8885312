#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The account's own connectors.
std::vector<Route> connector_routes();

}  // namespace coffer::api::v2
