#include "app/local_home_directories.h"

#include <fmt/format.h>

#include <mutex>
#include <system_error>
#include <utility>

namespace coffer::app {

Result<std::shared_ptr<storage::Backend>> LocalHomeDirectories::of(
    const catalog::Account& account) {
  {
    const std::shared_lock lock(mutex_);
    const auto found = open_.find(account.id);
    if (found != open_.end()) return found->second;
  }
  return open(account);
}

Result<std::shared_ptr<storage::Backend>> LocalHomeDirectories::open(
    const catalog::Account& account) {
  const std::unique_lock lock(mutex_);
  const auto found = open_.find(account.id);
  if (found != open_.end()) return found->second;
  local::LocalOptions options;
  options.root = data_ / "files" / account.name;
  options.staging = data_ / "staging" / account.name;
  options.durable = durable_;
  std::error_code error;
  std::filesystem::create_directory(options.root, error);
  if (error) {
    return fail(ErrorCode::failed, fmt::format("The folder of the account {} cannot be made: {}.",
                                               account.name, error.message()));
  }
  auto backend = local::LocalBackend::open(options, pool_);
  if (!backend) return failure_of(std::move(backend));
  std::shared_ptr<local::LocalBackend> shared = *std::move(backend);
  open_.emplace(account.id, shared);
  return shared;
}

}  // namespace coffer::app
