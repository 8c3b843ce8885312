#pragma once

#include <vector>

#include "api/v2/file_parameters.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {

/// A page of a folder, as the call's principal sees it.
Task<Result<http::Response>> list_page(Call call, PageParameters parameters);

/// What describes that answer.
boost::json::value page_schema(Components& components);

/// Folders page by page, new folders and new names.
std::vector<Route> file_routes();

}  // namespace coffer::api::v2
