#include "backends/local/volume.h"

#include "backends/local/fd_path.h"

namespace coffer::local {

bool Volume::stands() const {
  if (top.empty()) return true;
  const auto path = fd_path(root.get());
  return path && *path == top;
}

}  // namespace coffer::local
