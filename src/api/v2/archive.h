#pragma once

#include <vector>

#include "api/v2/archive_parameters.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {

/// An archive of what the call's principal may read.
Task<Result<http::Response>> send_archive(Call call, ArchiveParameters parameters);

/// Files and folders downloaded as one archive.
std::vector<Route> archive_routes();

}  // namespace coffer::api::v2
