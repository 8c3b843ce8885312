#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The shared folders, for administrators.
std::vector<Route> admin_share_routes();

}  // namespace coffer::api::v2
