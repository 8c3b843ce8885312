#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The connectors of all accounts, for administrators.
std::vector<Route> admin_connector_routes();

}  // namespace coffer::api::v2
