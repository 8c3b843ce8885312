#pragma once

#include <vector>

#include "api/v2/route.h"
#include "http/router.h"

namespace coffer::api::v2 {

std::vector<Route> upload_routes();

/// The same for guests, by a link that takes uploads.
std::vector<Route> guest_upload_routes();

/// What OPTIONS tells of tus at these routes.
void add_tus_options(http::Router& router);

}  // namespace coffer::api::v2
