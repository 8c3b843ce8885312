#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "http/message.h"
#include "http/router.h"

namespace coffer::api {

/// Adds a GET route that needs no key and has the same answer for everyone. The first request calls
/// `make`, and its result is kept in memory for all later requests. Answers are compressed if the
/// client accepts that.
void add_fixed(http::Router& router, std::string_view path, std::function<http::Response()> make);

/// Returns an HTML page. Its Content-Security-Policy forbids it to run scripts or load anything.
http::Response page_response(std::string html);

/// Returns the API description `document` as one HTML page without scripts. The page links to
/// `description_path`, the URL path of the description as JSON.
std::string docs_page(const boost::json::object& document, std::string_view description_path);

}  // namespace coffer::api
