#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "api/endpoint.h"

/// Parts of the OpenAPI descriptions of /api/v1 and of /api/v2.
namespace coffer::api {

/// Returns the parameters as OpenAPI describes them.
boost::json::array describe(const std::vector<ParameterDescription>& parameters);

/// Returns the method as OpenAPI spells it, such as `get`.
std::string_view method_name(http::Method method);

// Bodies of bytes have the `format` binary for client generators, which recognise it, and also the
// `contentMediaType` that OpenAPI 3.1 uses for such bodies.

/// Returns the response of a download of any media type, with its headers.
boost::json::object bytes_response(std::string_view text);

/// Returns a request body that is the bytes of one file.
boost::json::object bytes_body(std::string_view text);

/// Returns the multipart/form-data request body of an upload.
boost::json::object upload_body();

}  // namespace coffer::api
