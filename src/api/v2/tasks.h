#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

std::vector<Route> task_routes();

}  // namespace coffer::api::v2
