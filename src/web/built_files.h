#pragma once

#include <span>

#include "http/static_file.h"

namespace coffer::web {

/// Returns the files of the web interface, one of them with the path `/index.html`; empty if the
/// program was built without it. The build generates this function (`web/script/pack.mjs`).
std::span<const http::StaticFile> built_files();

}  // namespace coffer::web
