#include "core/namespace/location.h"

#include "catalog/mount_paths.h"

namespace coffer::core {

bool is_mount_name(std::string_view component) {
  return component.starts_with(catalog::kSharePrefix) ||
         component.starts_with(catalog::kConnectorPrefix);
}

}  // namespace coffer::core
