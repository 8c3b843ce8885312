#pragma once

#include <string_view>
#include <vector>

#include "api/v2/file_parameters.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The answer to a download of the file at `path`, which the principal may read. `not_found` where
/// it has another ETag than the one that is stated.
Task<Result<http::Response>> serve_file(const Call& call, const core::Principal& principal,
                                        const Path& path, Disposition disposition,
                                        std::string_view etag = {});

/// The bytes of one file: read with ranges and conditions, and replaced as a whole.
std::vector<Route> content_routes();

}  // namespace coffer::api::v2
