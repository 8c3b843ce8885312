#pragma once

#include <boost/json.hpp>
#include <vector>

#include "api/endpoint.h"

namespace coffer::api {

/// The API's machine-readable description (OpenAPI 3.1.0), made from the route table.
boost::json::object openapi_document(const std::vector<Endpoint>& endpoints);

}  // namespace coffer::api
