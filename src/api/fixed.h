#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "http/message.h"
#include "http/router.h"

namespace coffer::api {

/// Serves a resource that is the same for everyone and needs no key, compressed if the client
/// accepts it. `make` is called once, by the first request.
void add_fixed(http::Router& router, std::string_view path, std::function<http::Response()> make);

/// An HTML page that runs no script and loads nothing.
http::Response page_response(std::string html);

/// The API description as one HTML page without scripts, with a link to `description_path`, where
/// programs find the description.
std::string docs_page(const boost::json::object& document, std::string_view description_path);

}  // namespace coffer::api
