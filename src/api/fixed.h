#pragma once

#include <functional>
#include <string_view>

#include "http/message.h"
#include "http/router.h"

namespace coffer::api {

/// Adds a GET route that needs no key and has the same answer for everyone. The first request calls
/// `make`, and its result is kept in memory for all later requests. Answers are compressed if the
/// client accepts that.
void add_fixed(http::Router& router, std::string_view path, std::function<http::Response()> make);

}  // namespace coffer::api
