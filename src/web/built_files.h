#pragma once

#include <span>

#include "http/static_file.h"

namespace coffer::web {

/// Returns the files of the web interface. One of them has the path `/index.html`. Returns an empty
/// list if the program was built without the interface. The build generates this function
/// (`web/script/pack.mjs`).
std::span<const http::StaticFile> built_files();

}  // namespace coffer::web
