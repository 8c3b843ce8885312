#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// Files and folders found by their names.
std::vector<Route> search_routes();

}  // namespace coffer::api::v2
