#pragma once

#include <boost/json.hpp>
#include <vector>

#include "api/endpoint.h"
#include "http/router.h"

namespace coffer::api {

/// Every endpoint of /api/v1, once.
std::vector<Endpoint> all_endpoints();

/// Their description (OpenAPI 3.1.0).
boost::json::object openapi_document(const std::vector<Endpoint>& endpoints);

/// Puts every endpoint, the description and its page into the router. `services` must exist as long
/// as the router serves.
void add_routes(http::Router& router, Services& services);

}  // namespace coffer::api
