#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "api/endpoint.h"

/// Parts of the descriptions of both interfaces.
namespace coffer::api {

boost::json::array describe(const std::vector<ParameterDescription>& parameters);

/// The method in the spelling of OpenAPI.
std::string_view method_name(http::Method method);

// Bodies that are bytes: client generators recognise the format `binary`; `contentMediaType` is the
// same in OpenAPI 3.1.

/// The response of a download, of whatever type, with its headers.
boost::json::object bytes_response(std::string_view text);

/// The request body that is a file.
boost::json::object bytes_body(std::string_view text);

/// The request body of an upload.
boost::json::object upload_body();

}  // namespace coffer::api
