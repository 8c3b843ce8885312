#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// Small images of images.
std::vector<Route> thumbnail_routes();

}  // namespace coffer::api::v2
