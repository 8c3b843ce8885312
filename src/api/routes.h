#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "api/endpoint.h"
#include "http/router.h"

namespace coffer::api {

/// Returns all endpoints of /api/v1.
std::vector<Endpoint> all_endpoints();

/// Returns the API description of the endpoints (OpenAPI 3.1.0). Their addresses begin with
/// `base_path`.
boost::json::object openapi_document(const std::vector<Endpoint>& endpoints,
                                     std::string_view base_path = {});

/// Adds the routes of all endpoints of /api/v1 to the router. Also adds the routes of the API
/// description as JSON and as an HTML page. `services` must outlive the router.
void add_routes(http::Router& router, Services& services);

}  // namespace coffer::api
