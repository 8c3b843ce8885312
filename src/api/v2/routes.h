#pragma once

#include <boost/json.hpp>
#include <vector>

#include "api/v2/route.h"
#include "http/router.h"

namespace coffer::api::v2 {

/// The route table of /api/v2: every route, once.
std::vector<Route> all_routes();

/// Their description (OpenAPI 3.1.0).
boost::json::object openapi_document(const std::vector<Route>& routes);

/// Puts every route, their description and its page into the router.
void add_routes(http::Router& router, Services& services);

}  // namespace coffer::api::v2
