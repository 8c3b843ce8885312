#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "http/response.h"
#include "http/router.h"

namespace coffer::api {

/// Serves a resource that is the same for everyone and needs no key, packed as the client likes it.
/// `make` is called once, by the first request for it.
void add_fixed(http::Router& router, std::string_view path, std::function<http::Response()> make);

/// An HTML page that runs no script and loads nothing.
http::Response page_response(std::string html);

}  // namespace coffer::api
