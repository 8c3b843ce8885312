#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/id.h"

namespace coffer::catalog {

/// A folder on the disk of the Coffer server that an administrator shared with accounts.
struct Share {
  ShareId id;
  std::string name;  ///< Unique.
  std::string description;
  /// The folder's absolute path on the server. It had no symbolic links in it when it was stored,
  /// but for rows of earlier versions (Shares::unresolved).
  std::string target;
  bool read_only = false;
  bool everyone = false;            ///< True if all accounts see it.
  std::vector<AccountId> accounts;  ///< The accounts that see it, sorted; empty if `everyone`.
  Timestamp created_at{};
};

}  // namespace coffer::catalog
