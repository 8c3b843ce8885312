#pragma once

#include <vector>

#include "api/endpoint.h"

/// The endpoints of each resource, in a source of its name.
namespace coffer::api {

std::vector<Endpoint> account_endpoints();
Endpoint download_endpoint();
std::vector<Endpoint> file_endpoints();
std::vector<Endpoint> key_endpoints();
/// Listing a folder. A large one is made on the pools' threads from the scan to the last piece of
/// JSON, slice by slice, so that it delays no other request.
Endpoint listing_endpoint();
std::vector<Endpoint> location_endpoints();
Endpoint upload_endpoint();

}  // namespace coffer::api
