#pragma once

#include <vector>

#include "api/endpoint.h"

namespace coffer::api {

std::vector<Endpoint> location_endpoints();

}  // namespace coffer::api
