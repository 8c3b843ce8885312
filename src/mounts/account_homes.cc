#include "mounts/account_homes.h"

#include <mutex>
#include <utility>

namespace coffer::mounts {

using catalog::HomeStore;

HomeStore AccountHomes::store_of(const catalog::Account& account) const {
  const std::shared_lock lock(mutex_);
  const auto found = homes_.find(account.id);
  if (found != homes_.end()) return found->second.store;
  return account.home_store.value_or(stores_.of_old_accounts);
}

core::HomeDirectories* AccountHomes::in(HomeStore store) const {
  if (store == HomeStore::objects) return stores_.objects.get();
  return &stores_.files;
}

/// A start that would lack a store which some accounts need has failed.
core::HomeDirectories& AccountHomes::current(const catalog::Account& account) const {
  core::HomeDirectories* const homes = in(store_of(account));
  return homes != nullptr ? *homes : stores_.files;
}

AccountHomes::Home AccountHomes::home_of(const catalog::Account& account) {
  {
    const std::shared_lock lock(mutex_);
    const auto found = homes_.find(account.id);
    if (found != homes_.end()) return found->second;
  }
  const HomeStore store = store_of(account);
  const std::unique_lock lock(mutex_);
  Home& home = homes_.try_emplace(account.id, Home{store, nullptr, nullptr}).first->second;
  if (!home.gate) home.gate = std::make_shared<WriteGate>();
  return home;
}

Result<std::shared_ptr<storage::Backend>> AccountHomes::of(const catalog::Account& account) {
  const Home home = home_of(account);
  if (home.backend) return home.backend;
  TRY(auto inner, current(account).of(account));
  const std::unique_lock lock(mutex_);
  const auto now = homes_.find(account.id);
  // The files were moved, or the account is gone, since the look.
  const bool is_current = now != homes_.end() && now->second.gate == home.gate;
  if (is_current && now->second.backend) return now->second.backend;
  auto backend = std::make_shared<GatedHome>(std::move(inner), home.gate);
  if (is_current) now->second.backend = backend;
  return backend;
}

Task<Result<std::shared_ptr<storage::Backend>>> AccountHomes::find(
    const catalog::Account& account) {
  CO_TRY([[maybe_unused]] const auto inner, co_await current(account).find(account));
  co_return of(account);
}

std::string AccountHomes::location_of(const catalog::Account& account) const {
  return current(account).location_of(account);
}

Task<Result<void>> AccountHomes::make(const catalog::Account& account) {
  co_return co_await current(account).make(account);
}

Result<void> AccountHomes::purge(const catalog::Account& account) {
  auto purged = current(account).purge(account);
  decltype(homes_)::node_type removed;  // Ends when the mutex is free again.
  const std::unique_lock lock(mutex_);
  removed = homes_.extract(account.id);
  return purged;
}

std::shared_ptr<WriteGate> AccountHomes::gate_of(const catalog::Account& account) {
  return home_of(account).gate;
}

std::weak_ptr<storage::Backend> AccountHomes::switch_to(AccountId account, HomeStore store) {
  Home home{store, std::make_shared<WriteGate>(), nullptr};
  {
    const std::unique_lock lock(mutex_);
    std::swap(homes_[account], home);
  }
  return home.backend;
}

}  // namespace coffer::mounts
