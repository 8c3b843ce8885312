#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "http/message.h"
#include "http/router.h"

namespace coffer::api {

/// Adds a GET route for a resource that is the same for everyone and needs no key. Compresses it if
/// the client accepts that. The first request calls `make`, whose response is kept.
void add_fixed(http::Router& router, std::string_view path, std::function<http::Response()> make);

/// Returns an HTML page that may run no script and load nothing.
http::Response page_response(std::string html);

/// Returns the API description as one HTML page without scripts. The page links to
/// `description_path`, where programs find the description.
std::string docs_page(const boost::json::object& document, std::string_view description_path);

}  // namespace coffer::api
