#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The settings in force, for administrators.
std::vector<Route> admin_setting_routes();

}  // namespace coffer::api::v2
