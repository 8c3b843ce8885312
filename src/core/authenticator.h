#pragma once

#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "catalog/keys.h"
#include "core/principal.h"

namespace coffer::core {

/// Finds out who asks. Safe from any thread.
class Authenticator {
 public:
  explicit Authenticator(catalog::Keys& keys) : keys_(keys) {}

  /// The principal of an API key's secret; `unauthenticated` if the key is not known, revoked, or
  /// its account disabled. Does not wait for a key that is in use.
  Task<Result<Principal>> by_key(std::string_view secret);

 private:
  catalog::Keys& keys_;
};

}  // namespace coffer::core
