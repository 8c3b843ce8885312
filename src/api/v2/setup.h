#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// How the first administrator comes into a catalog without any account.
std::vector<Route> setup_routes();

}  // namespace coffer::api::v2
