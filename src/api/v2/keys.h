#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The account's API keys.
std::vector<Route> key_routes();

}  // namespace coffer::api::v2
