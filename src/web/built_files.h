#pragma once

#include <span>

#include "http/static_file.h"

namespace coffer::web {

/// The files of the built interface, one of them at `/index.html`; none where the program was built
/// without it. The build makes what this returns (`web/script/pack.mjs`).
std::span<const http::StaticFile> built_files();

}  // namespace coffer::web
