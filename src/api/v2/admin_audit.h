#pragma once

#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// /admin/audit.
std::vector<Route> admin_audit_routes();

}  // namespace coffer::api::v2
