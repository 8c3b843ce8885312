#pragma once

#include <filesystem>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

#include "backends/local/local_backend.h"
#include "backends/local/local_store.h"
#include "base/id.h"
#include "core/namespace/mounts.h"
#include "core/tasks/work_pools.h"

namespace coffer::mounts {

/// Home directories as plain folders, `DATA/files/<home>`, where DATA is Coffer's data folder. New
/// content is collected in a staging folder before it is published. All home directories on the
/// disk of DATA share the staging folder `DATA/staging`. A home directory on another disk has its
/// own hidden staging folder.
class LocalHomeDirectories final : public core::HomeDirectories {
 public:
  /// `data` is Coffer's data folder. If `durable`, published content survives a power failure. The
  /// store and the pools must outlive this object.
  LocalHomeDirectories(std::filesystem::path data, bool durable, local::LocalStore& store,
                       core::WorkPools& pools)
      : data_(std::move(data)), durable_(durable), store_(store), pools_(pools) {}

  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) override;
  std::string location_of(const catalog::Account& account) const override {
    return std::filesystem::absolute(folder_of(account)).lexically_normal().string();
  }
  Task<Result<void>> make(const catalog::Account& account) override;
  /// True if the account's folder exists, or if an error prevents this check.
  bool has_folder(const catalog::Account& account) const;
  std::filesystem::path folder_of(const catalog::Account& account) const {
    return data_ / "files" / account.home;
  }
  Result<void> purge(const catalog::Account& account) override;

 private:
  Result<std::shared_ptr<storage::Backend>> open(const catalog::Account& account);
  Result<void> remove_aside(const std::filesystem::path& home);

  std::filesystem::path data_;
  bool durable_;
  local::LocalStore& store_;
  core::WorkPools& pools_;
  std::shared_mutex mutex_;
  std::unordered_map<AccountId, std::shared_ptr<local::LocalBackend>> open_;
};

}  // namespace coffer::mounts
