#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/connector.h"
#include "catalog/share.h"

namespace coffer::catalog {

class Database;

/// The mounts of an account. The shares' lists of accounts have only this account.
struct AccountMounts {
  std::vector<Share> shares;          ///< By name.
  std::vector<Connector> connectors;  ///< By name.

  /// Returns null if it is not among them.
  const Share* share(std::string_view id) const;
  const Connector* connector(std::string_view id) const;
};

/// A cache of the mounts of accounts. Safe from any thread. A change of any process takes effect
/// with the next call.
class CachedMounts {
 public:
  explicit CachedMounts(Database& database);
  ~CachedMounts();

  /// Returns the cached mounts of the account; null if there are none. Does not wait, so that I/O
  /// threads may call it.
  std::shared_ptr<const AccountMounts> find_now(AccountId account);
  /// Returns the mounts from the cache or the catalog; without any for an unknown account.
  Task<Result<std::shared_ptr<const AccountMounts>>> find(AccountId account);

  using AllShares = std::shared_ptr<const std::vector<Share>>;
  /// Returns all shares from the cache, in no order and without their accounts; null as above.
  AllShares find_all_shares_now();
  /// The same, from the cache or the catalog.
  Task<Result<AllShares>> find_all_shares();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
