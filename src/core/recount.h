#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/ledger.h"
#include "core/namespace/home_directories.h"

namespace coffer::core {

struct Recount {
  std::uint64_t counted_bytes = 0;   ///< What the account's files hold on disk.
  std::uint64_t recorded_bytes = 0;  ///< What the ledger said before.
  bool settled =
      true;  ///< False if the account was being written to all the while; nothing changed.
};

/// The account's own files. A missing folder is made where nothing was stored in it; `not_found`
/// where something was.
Task<Result<std::shared_ptr<storage::Backend>>> open_home(catalog::Ledger& ledger,
                                                          HomeDirectories& homes,
                                                          const catalog::Account& account);

/// Counts an account's own files and corrects the ledger where it says otherwise. Beside a running
/// server it tries again while uploads change the figure, and gives up after some tries.
/// `not_found`, and the figure stays, where the folder is missing although something was stored.
Task<Result<Recount>> recount(catalog::Ledger& ledger, HomeDirectories& homes,
                              const catalog::Account& account);

}  // namespace coffer::core
