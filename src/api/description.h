#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "api/endpoint.h"

/// Makes parts of the OpenAPI descriptions of /api/v1 and /api/v2.
namespace coffer::api {

boost::json::array describe(const std::vector<ParameterDescription>& parameters);

/// Returns the name of the method in lower case, as OpenAPI requires, such as `get`.
std::string_view method_name(http::Method method);

// The schema of a binary body has `contentMediaType`, as OpenAPI 3.1 requires. It also has the
// older `format: binary`, because client generators recognise this form.

/// Describes a response that sends a file, with its headers. `text` becomes its `description`.
boost::json::object bytes_response(std::string_view text);

/// Describes a request body that is the bytes of one file. `text` becomes its `description`.
boost::json::object bytes_body(std::string_view text);

/// Describes the multipart/form-data request body that uploads files.
boost::json::object upload_body();

}  // namespace coffer::api
