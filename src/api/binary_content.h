#pragma once

#include <boost/json.hpp>

namespace coffer::api {

/// The part of the API's description that says which bodies are bytes. A string of the format
/// `binary` is what makers of clients take for bytes; `contentMediaType` says the same in the words
/// of OpenAPI 3.1.

/// The content of a download, of whatever type.
boost::json::object download_content();

/// The request body of an upload.
boost::json::object upload_body();

}  // namespace coffer::api
