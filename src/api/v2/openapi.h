#pragma once

#include <boost/json.hpp>
#include <vector>

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The description of /api/v2 (OpenAPI 3.1.0), made from the route table.
boost::json::object openapi_document(const std::vector<Route>& routes);

}  // namespace coffer::api::v2
