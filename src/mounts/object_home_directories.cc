#include "mounts/object_home_directories.h"

#include <mutex>

#include "async/run.h"

namespace coffer::mounts {

Result<std::shared_ptr<storage::Backend>> ObjectHomeDirectories::of(
    const catalog::Account& account) {
  {
    const std::shared_lock lock(mutex_);
    const auto found = open_.find(account.id);
    if (found != open_.end()) return found->second;
  }
  const std::unique_lock lock(mutex_);
  auto& home = open_[account.id];
  if (!home) {
    objects::Blobs& blobs = blobs_.of_owner(static_cast<std::uint64_t>(account.id.value));
    home = std::make_shared<objects::ObjectBackend>(names_, blobs, tree_of(account));
  }
  return home;
}

Task<Result<std::shared_ptr<storage::Backend>>> ObjectHomeDirectories::find(
    const catalog::Account& account) {
  CO_TRY(const bool is_there, co_await names_.has_tree(tree_of(account), account.home));
  if (is_there) co_return of(account);
  co_return fail(
      ErrorCode::not_found,
      "The names of the account's files are not in the catalog: restore a backup of it.");
}

Task<Result<void>> ObjectHomeDirectories::make(const catalog::Account& account) {
  co_return co_await names_.make_tree(tree_of(account), account.home);
}

Result<void> ObjectHomeDirectories::purge(const catalog::Account& account) {
  auto removed = run(names_.remove_tree(account.home));
  const std::unique_lock lock(mutex_);
  open_.erase(account.id);
  return removed;
}

}  // namespace coffer::mounts
