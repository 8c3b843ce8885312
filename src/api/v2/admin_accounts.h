#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The accounts of the installation, for administrators.
std::vector<Route> admin_account_routes();

}  // namespace coffer::api::v2
