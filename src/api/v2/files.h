#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// Folders page by page, new folders and new names.
std::vector<Route> file_routes();

}  // namespace coffer::api::v2
