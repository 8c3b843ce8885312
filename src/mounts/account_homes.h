#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>

#include "base/id.h"
#include "catalog/account.h"
#include "core/namespace/mounts.h"
#include "mounts/gated_home.h"
#include "mounts/local_home_directories.h"
#include "mounts/object_home_directories.h"
#include "mounts/write_gate.h"

namespace coffer::mounts {

/// The home directories of all accounts, each in the store that has it.
///
/// A server that moves own files is the only one. From the account's first use on, this object
/// knows where its home is, whatever an earlier copy of the account's row says.
class AccountHomes final : public core::HomeDirectories {
 public:
  struct Stores {
    LocalHomeDirectories& files;
    std::unique_ptr<ObjectHomeDirectories> objects;  ///< Null if there is no store of objects.
    catalog::HomeStore of_new_accounts = catalog::HomeStore::files;
    /// Of accounts without a note of it.
    catalog::HomeStore of_old_accounts = catalog::HomeStore::files;
  };
  explicit AccountHomes(Stores stores) : stores_(std::move(stores)) {}

  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) override;
  Task<Result<std::shared_ptr<storage::Backend>>> find(const catalog::Account& account) override;
  std::string location_of(const catalog::Account& account) const override;
  Task<Result<void>> make(const catalog::Account& account) override;
  Result<void> purge(const catalog::Account& account) override;
  std::optional<catalog::HomeStore> store_of_new() const override {
    return stores_.of_new_accounts;
  }
  Result<std::shared_ptr<void>> begin_write(const catalog::Account& account) override {
    return gate_of(account)->begin_operation();
  }

  /// Returns where the account's files lie now.
  catalog::HomeStore store_of(const catalog::Account& account) const;
  /// Returns the homes that lie in a store, past all gates; null if there is no such store.
  core::HomeDirectories* in(catalog::HomeStore store) const;
  /// Returns the homes on this machine's disk.
  LocalHomeDirectories& files() const { return stores_.files; }

  /// Returns the gate that the account's writes pass as long as its files stay where they are.
  std::shared_ptr<WriteGate> gate_of(const catalog::Account& account);
  /// From now on the account's files are those in `store`, behind a new gate. The gate before it
  /// should be closed for good, since some may still have the backend behind it. Returns that
  /// backend, which expires when nobody reads there any more.
  std::weak_ptr<storage::Backend> switch_to(AccountId account, catalog::HomeStore store);

 private:
  struct Home {
    catalog::HomeStore store;
    std::shared_ptr<WriteGate> gate;
    std::shared_ptr<storage::Backend> backend;  ///< Null until it is opened.
  };
  Home home_of(const catalog::Account& account);
  core::HomeDirectories& current(const catalog::Account& account) const;

  const Stores stores_;
  mutable std::shared_mutex mutex_;
  std::map<AccountId, Home> homes_;
};

}  // namespace coffer::mounts
