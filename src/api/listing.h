#pragma once

#include "api/endpoint.h"

namespace coffer::api {

/// Listing a folder. A large one is made on the pools' threads from the scan to the last piece of
/// JSON, slice by slice, so that it delays no other request.
Endpoint listing_endpoint();

}  // namespace coffer::api
