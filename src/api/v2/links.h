#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// Share links, for those who make them.
std::vector<Route> link_routes();

}  // namespace coffer::api::v2
