#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "api/v2/route.h"
#include "http/router.h"

namespace coffer::api::v2 {

/// Where a provider of sign-in sends browsers back to, below `base_path`.
inline constexpr std::string_view kProviderReturnPath = "/api/v2/session/oidc/callback";

std::vector<Route> all_routes();

/// Returns the API description of the routes (OpenAPI 3.1.0). Their addresses begin with
/// `base_path`.
boost::json::object openapi_document(const std::vector<Route>& routes,
                                     std::string_view base_path = {});

/// Adds all routes of /api/v2 to the router, among them the API description and resumable uploads
/// (tus). Also adds /health. `services` must outlive the router.
void add_routes(http::Router& router, Services& services);

}  // namespace coffer::api::v2
