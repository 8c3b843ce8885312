#pragma once

#include <cstddef>
#include <string_view>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "catalog/credential.h"
#include "catalog/turn.h"

namespace coffer::catalog {

class Database;

/// The hashes of texts that count once, as long as they could be shown again: the states of
/// sign-ins at a provider, and its logout tokens. All servers of the catalog share them. Safe from
/// any thread.
class SpentHashes {
 public:
  /// `table` names a table of the columns `hash` and `expires_at`; it must be a literal.
  SpentHashes(Database& database, std::string_view table) : database_(database), table_(table) {}

  /// Spends a hash. Returns false if it was spent before.
  Task<Result<bool>> spend(Turn turn, SecretHash hash, Timestamp expires_at);
  /// Forgets the hashes that have expired, and of the others those that expire first, so that at
  /// most `most` are left.
  Task<Result<void>> forget_beyond(std::size_t most);

 private:
  Database& database_;
  const std::string_view table_;
};

}  // namespace coffer::catalog
