#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The folders of the server that can be shared, for administrators.
std::vector<Route> admin_folder_routes();

}  // namespace coffer::api::v2
