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
  std::string target;  ///< The folder's absolute path on the server.
  bool read_only = false;
  bool everyone = false;            ///< True if all accounts see it.
  std::vector<AccountId> accounts;  ///< The accounts that see it, sorted; empty if `everyone`.
  Timestamp created_at{};
};

}  // namespace coffer::catalog
