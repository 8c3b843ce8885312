#include "web/built_files.h"

namespace coffer::web {

std::span<const http::StaticFile> built_files() {
  return {};
}

}  // namespace coffer::web
