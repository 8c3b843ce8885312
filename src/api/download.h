#pragma once

#include "api/endpoint.h"

namespace coffer::api {

Endpoint download_endpoint();

}  // namespace coffer::api
