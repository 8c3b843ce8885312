#pragma once

#include <span>

#include "http/router.h"
#include "http/static_file.h"

namespace coffer::web {

/// Serves the interface in a browser. Every address that has no route answers the same document,
/// `/index.html` of the files, whose script shows the page of that address; unknown addresses below
/// `/api`, `/metrics`, `/health` and `/assets` stay 404. Files below `/assets/` have names that
/// change with their content, so that clients keep them for a year. Without files `/` says that
/// there is no interface.
void add_interface(http::Router& router, std::span<const http::StaticFile> files);

}  // namespace coffer::web
