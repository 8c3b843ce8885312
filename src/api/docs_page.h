#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace coffer::api {

/// The API description as one HTML page that needs no script and nothing from elsewhere. It links
/// to the path where programs find the description.
std::string docs_page(const boost::json::object& document, std::string_view description_path);

}  // namespace coffer::api
