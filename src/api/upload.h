#pragma once

#include "api/endpoint.h"

namespace coffer::api {

Endpoint upload_endpoint();

}  // namespace coffer::api
