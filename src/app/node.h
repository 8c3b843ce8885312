#pragma once

#include <memory>

#include "app/drive_providers.h"
#include "app/local_homes.h"
#include "app/mount_backends.h"
#include "app/settings.h"
#include "app/token_keeper.h"
#include "async/pool.h"
#include "catalog/catalog.h"
#include "core/mounts.h"
#include "core/sealer.h"

namespace coffer::app {

/// What both the server and the commands beside it work with: the data folder, opened.
class Node {
 public:
  /// Makes the data folder (0700) where it is missing and opens the catalog. `failed` with one
  /// clear line.
  static Result<std::unique_ptr<Node>> open(const Settings& settings, std::size_t pool_threads);

  Pool& pool() { return pool_; }
  catalog::Catalog& catalog() { return *catalog_; }
  LocalHomes& homes() { return homes_; }
  core::Mounts& mounts() { return mounts_; }
  MountBackends& mount_backends() { return mount_backends_; }
  DriveProviders& drive_providers() { return drive_providers_; }
  const core::Sealer& sealer() const { return sealer_; }

 private:
  Node(const Settings& settings, std::size_t pool_threads, const core::Sealer::Key& key,
       std::unique_ptr<catalog::Catalog> catalog);
  Result<void> keep_token(const catalog::Connector& connector, const std::string& token);

  Pool pool_;
  core::Sealer sealer_;
  LocalHomes homes_;
  std::unique_ptr<catalog::Catalog> catalog_;
  DriveProviders drive_providers_;
  TokenKeeper tokens_;  ///< Gone before what it keeps them in, after the drives.
  MountBackends mount_backends_;
  core::Mounts mounts_;
};

}  // namespace coffer::app
