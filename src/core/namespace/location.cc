#include "core/namespace/location.h"

#include <utility>

#include "catalog/mount_paths.h"

namespace coffer::core {

std::string_view to_string(LocationKind kind) {
  switch (kind) {
    case LocationKind::own:
      return "own";
    case LocationKind::shared:
      return "shared";
    case LocationKind::ftp:
      return "ftp";
    case LocationKind::sftp:
      return "sftp";
    case LocationKind::drive:
      return "drive";
    case LocationKind::scoped:
      return "scoped";
  }
  std::unreachable();
}

bool is_mount_name(std::string_view component) {
  return component.starts_with(catalog::kSharePrefix) ||
         component.starts_with(catalog::kConnectorPrefix);
}

}  // namespace coffer::core
