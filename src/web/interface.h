#pragma once

#include <span>

#include "http/router.h"
#include "http/static_file.h"

namespace coffer::web {

/// Serves the interface in a browser. Every page is the same document, `/index.html` of the files,
/// which shows what its address names; its parts stand below `/assets/` under names that change
/// with their content, and are kept for good. Without files `/` says that there is no interface.
void add_interface(http::Router& router, std::span<const http::StaticFile> files);

}  // namespace coffer::web
