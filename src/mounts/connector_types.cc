#include "mounts/connector_types.h"

#include <utility>
#include <vector>

namespace coffer::mounts {

core::ConnectorTypes connector_types(const TypeParts& parts) {
  std::vector<std::unique_ptr<core::ConnectorType>> types;
  for (const auto make : kConnectorTypes) types.push_back(make(parts));
  return core::ConnectorTypes(std::move(types));
}

}  // namespace coffer::mounts
