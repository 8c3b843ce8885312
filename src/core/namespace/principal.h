#pragma once

#include <memory>

#include "base/path.h"
#include "catalog/accounts.h"
#include "catalog/keys.h"

namespace coffer::core {

/// Who asks: an account, and the folder that the key it came with is limited to. A value, cheap to
/// copy; it describes the moment of authentication, so what lasts longer asks AccessRecheck.
struct Principal {
  std::shared_ptr<const catalog::Account> account;  ///< Never null.
  std::shared_ptr<const Path> scope;                ///< From the account's root; null: full access.
  std::shared_ptr<const catalog::KeyHash> key;      ///< Null: it came without a key.

  /// The scope as the catalog takes it.
  std::optional<Path> within() const { return scope ? std::optional<Path>(*scope) : std::nullopt; }
};

/// The principal of an authenticated key.
Principal principal_of(const std::shared_ptr<const catalog::Grant>& grant);

}  // namespace coffer::core
