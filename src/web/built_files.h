#pragma once

#include <span>

#include "http/static_file.h"

namespace coffer::web {

/// The files of the built interface, one of them at `/index.html`; empty if the program was built
/// without it. `web/script/pack.mjs` writes the source of this function during the build.
std::span<const http::StaticFile> built_files();

}  // namespace coffer::web
