#pragma once

#include <span>
#include <string_view>

#include "http/router.h"
#include "http/static_file.h"

namespace coffer::web {

/// Adds the routes of the web interface. A path without a route is answered with the file
/// `/index.html`, whose script shows the page of that path. The exceptions are paths below `/api`,
/// `/metrics`, `/health` and `/assets`, which are answered with 404. The file `/api-docs.html` is
/// the page at `/api/docs` and `/api/v2/docs`. Files below `/assets/` have names that change with
/// their content, so clients may cache them for a year. If `files` is empty, `/` and both addresses
/// of docs are answered with a text that says that the interface is missing. The files must outlive
/// the router. The addresses in pages begin with `base_path` (http::ServerOptions). Throws
/// std::logic_error if there are files but no `/index.html`.
void add_interface(http::Router& router, std::span<const http::StaticFile> files,
                   std::string_view base_path = {});

}  // namespace coffer::web
