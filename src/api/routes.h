#pragma once

#include <vector>

#include "api/endpoint.h"
#include "http/router.h"

namespace coffer::api {

/// The route table: every endpoint of the contract, once.
std::vector<Endpoint> all_endpoints();

/// Puts every endpoint, the API description and its page into the router.
void add_routes(http::Router& router, Services& services);

}  // namespace coffer::api
