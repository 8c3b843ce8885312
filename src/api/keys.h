#pragma once

#include <vector>

#include "api/endpoint.h"

namespace coffer::api {

std::vector<Endpoint> key_endpoints();

}  // namespace coffer::api
