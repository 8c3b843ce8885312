#pragma once

#include "async/task.h"
#include "base/error.h"

namespace coffer::core {

/// Whether this server can do its work now, for a balancer. Safe from any thread.
class Readiness {
 public:
  virtual ~Readiness() = default;

  /// `unready`, with a sentence that anyone may read, if requests should go to another server: if
  /// the catalog or the store of own files does not answer, or the server is stopping. Takes at
  /// most some seconds. May tell what was found a second ago.
  virtual Task<Result<void>> look() = 0;
};

}  // namespace coffer::core
