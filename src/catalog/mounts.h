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

/// The mounts of an account. A share's list of accounts has this account alone.
struct AccountMounts {
  std::vector<Share> shares;          ///< By name.
  std::vector<Connector> connectors;  ///< By name.

  /// Null if it is not among them.
  const Share* share(std::string_view id) const;
  const Connector* connector(std::string_view id) const;
};

/// The mounts of accounts as each request needs them. Safe from any thread. A change of any process
/// counts from the next call on.
class CachedMounts {
 public:
  explicit CachedMounts(Database& database);
  ~CachedMounts();

  /// The account's mounts, if this process has them at hand and nothing has changed since; null
  /// otherwise. Does not wait: any I/O thread may call it.
  std::shared_ptr<const AccountMounts> find_now(AccountId account);
  /// The account's mounts, from the catalog if need be; none for an account that does not exist.
  Task<Result<std::shared_ptr<const AccountMounts>>> find(AccountId account);

  using AllShares = std::shared_ptr<const std::vector<Share>>;
  /// The shares of all accounts, in no order and without these; null as above.
  AllShares find_all_shares_now();
  /// The same, from the catalog if need be.
  Task<Result<AllShares>> find_all_shares();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
