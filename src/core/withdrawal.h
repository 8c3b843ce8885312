#pragma once

#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/accounts.h"
#include "core/mounts.h"

namespace coffer::core {

/// A mount that work under way uses, and whether it writes there; nothing for own files.
struct MountUse {
  std::optional<Mount> mount;
  bool writes = false;
};

/// Tells whether the rights that work began with still stand. Asks the catalog alone. Safe from any
/// thread.
class Withdrawals {
 public:
  Withdrawals(catalog::Accounts& accounts, Mounts& mounts) : accounts_(accounts), mounts_(mounts) {}

  /// Why the account may not do this any more, if that is so. What the catalog cannot tell just now
  /// stands.
  Task<std::optional<Error>> of(AccountId account, std::vector<MountUse> uses);

 private:
  Task<std::optional<Error>> of_account(AccountId account);
  Task<std::optional<Error>> of_mount(AccountId account, const MountUse& use);

  catalog::Accounts& accounts_;
  Mounts& mounts_;
};

}  // namespace coffer::core
