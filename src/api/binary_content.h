#pragma once

#include <boost/json.hpp>
#include <string_view>

namespace coffer::api {

/// The part of the API's description that says which bodies are bytes. A string of the format
/// `binary` is what makers of clients take for bytes; `contentMediaType` says the same in the words
/// of OpenAPI 3.1.

/// The response of a download, of whatever type, with its headers.
boost::json::object bytes_response(std::string_view text);

/// The request body that is a file.
boost::json::object bytes_body(std::string_view text);

/// The request body of an upload.
boost::json::object upload_body();

}  // namespace coffer::api
