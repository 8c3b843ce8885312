#pragma once

#include <boost/json.hpp>
#include <string>

namespace coffer::api {

/// The API description as one HTML page that needs no script and nothing from elsewhere.
std::string docs_page(const boost::json::object& document);

}  // namespace coffer::api
