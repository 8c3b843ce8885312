#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/connector.h"
#include "catalog/person_share.h"
#include "catalog/share.h"

namespace coffer::catalog {

class Database;

/// The mounts that an account sees. Share::accounts lists no other account.
struct AccountMounts {
  std::vector<Share> shares;          ///< Sorted by name.
  std::vector<PersonShare> received;  ///< What other accounts share with it.
  std::vector<Connector> connectors;  ///< Sorted by name.

  /// Returns the share with this id; null if the account does not see it.
  const Share* share(std::string_view id) const;
  /// Returns the share of another account with this id; null if the account does not receive it.
  const PersonShare* person_share(std::string_view id) const;
  /// Returns the connector with this id; null if the account does not have it.
  const Connector* connector(std::string_view id) const;
};

/// Finds the mounts of accounts, and caches them. Safe from any thread. A change by any process
/// takes effect with the next call.
class CachedMounts {
 public:
  explicit CachedMounts(Database& database);
  ~CachedMounts();

  /// Returns the cached mounts of the account; null if they are not cached. Does not wait, so that
  /// I/O threads may call it.
  std::shared_ptr<const AccountMounts> find_now(AccountId account);
  /// Returns the account's mounts, from the cache or the database. An unknown account sees only the
  /// shares for everyone.
  Task<Result<std::shared_ptr<const AccountMounts>>> find(AccountId account);

  /// What an account shares with others, unsorted.
  using GivenShares = std::shared_ptr<const std::vector<PersonShare>>;
  /// Returns what the account shares from the cache; null if it is not cached. Does not wait.
  GivenShares find_given_now(AccountId owner);
  Task<Result<GivenShares>> find_given(AccountId owner);

  /// All shares, unsorted. Their Share::accounts is empty.
  using AllShares = std::shared_ptr<const std::vector<Share>>;
  /// Returns all shares from the cache; null if they are not cached. Does not wait.
  AllShares find_all_shares_now();
  Task<Result<AllShares>> find_all_shares();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
