#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/keys.h"
#include "core/homes.h"
#include "core/mounts.h"
#include "core/principal.h"

namespace coffer::core {

struct CreatedKey {
  catalog::Key key;
  std::string secret;  ///< Told this once; only its hash is kept.
};

/// API keys under the rules of the contract. A principal with a scope sees, makes and revokes only
/// keys scoped to its folder or below. Safe from any thread.
class KeyService {
 public:
  KeyService(catalog::Keys& keys, Homes& homes, Mounts& mounts)
      : keys_(keys), homes_(homes), mounts_(mounts) {}

  Task<Result<std::vector<catalog::Key>>> list(const Principal& principal);
  /// `folder` is relative to the principal's root and must be an existing folder (`not_found`,
  /// `invalid`); the root itself means the principal's own reach. `invalid` for a bad label.
  Task<Result<CreatedKey>> create(const Principal& principal, std::string_view name,
                                  const Path& folder);
  /// `not_found` for what the principal does not see. No request is accepted with the key after it.
  Task<Result<void>> revoke(const Principal& principal, std::string_view id);

 private:
  catalog::Keys& keys_;
  Homes& homes_;
  Mounts& mounts_;
};

}  // namespace coffer::core
