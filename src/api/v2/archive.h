#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// Files and folders downloaded as one archive.
std::vector<Route> archive_routes();

}  // namespace coffer::api::v2
