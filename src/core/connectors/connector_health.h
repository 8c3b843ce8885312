#pragma once

#include "base/id.h"
#include "core/connectors/circuit_breaker.h"

namespace coffer::core {

/// Those who know how connectors did. Safe from any thread.
class ConnectorHealth {
 public:
  virtual ~ConnectorHealth() = default;
  /// Contacts no server. Unknown where the connector was not used lately.
  virtual ServerHealth health_of(const ConnectorId& connector) = 0;
};

}  // namespace coffer::core
