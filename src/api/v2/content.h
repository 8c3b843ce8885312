#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The bytes of one file: read with ranges and conditions, and replaced as a whole.
std::vector<Route> content_routes();

}  // namespace coffer::api::v2
