#pragma once

#include <memory>

#include "base/error.h"
#include "catalog/accounts.h"
#include "storage/backend.h"

namespace coffer::core {

/// Where the accounts' own files are. Safe from any thread.
class HomeDirectories {
 public:
  virtual ~HomeDirectories() = default;
  /// The backend of the account's own files; `not_found` where its folder is missing, which looks
  /// like a volume that is not mounted. Quick, as it stands on the way of every request.
  virtual Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) = 0;
  /// Makes the folder of an account that has stored nothing yet.
  virtual Result<void> make(const catalog::Account& account) = 0;
  /// Removes all files of an account that was removed. Waits for the disk, which may take long.
  /// `failed`, saying which folder stays.
  virtual Result<void> purge(const catalog::Account& account) = 0;
};

}  // namespace coffer::core
