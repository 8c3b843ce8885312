#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/id.h"

namespace coffer::catalog {

/// A folder of the server's disk that an administrator shared.
struct Share {
  ShareId id;
  std::string name;  ///< Unique.
  std::string description;
  std::string target;  ///< The folder's absolute path on the server.
  bool read_only = false;
  bool everyone = false;
  std::vector<AccountId> accounts;  ///< Who sees it, sorted; empty if everyone does.
  Timestamp created_at{};
};

}  // namespace coffer::catalog
