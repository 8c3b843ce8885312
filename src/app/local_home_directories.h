#pragma once

#include <filesystem>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

#include "async/pool.h"
#include "backends/local/local_backend.h"
#include "base/id.h"
#include "core/namespace/home_directories.h"

namespace coffer::app {

/// HomeDirectories as plain folders: `DATA/files/<home>`, with staging beside them in
/// `DATA/staging`.
class LocalHomeDirectories final : public core::HomeDirectories {
 public:
  LocalHomeDirectories(std::filesystem::path data, bool durable, Pool& pool)
      : data_(std::move(data)), durable_(durable), pool_(pool) {}

  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) override;
  std::filesystem::path folder_of(const catalog::Account& account) const {
    return data_ / "files" / account.home;
  }
  /// Removes all files of an account that was removed. `failed`, saying which folder stays.
  Result<void> purge(const catalog::Account& account);

 private:
  std::filesystem::path staging_of(const catalog::Account& account) const {
    return data_ / "staging" / account.home;
  }
  Result<std::shared_ptr<storage::Backend>> open(const catalog::Account& account);

  std::filesystem::path data_;
  bool durable_;
  Pool& pool_;
  std::shared_mutex mutex_;
  std::unordered_map<AccountId, std::shared_ptr<local::LocalBackend>> open_;
};

}  // namespace coffer::app
