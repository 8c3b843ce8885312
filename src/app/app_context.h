#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "app/settings.h"
#include "backends/local/local_store.h"
#include "base/lock_file.h"
#include "catalog/catalog.h"
#include "core/connectors/connector_type.h"
#include "core/connectors/sealer.h"
#include "core/namespace/mounts.h"
#include "core/tasks/work_pools.h"
#include "mounts/local_home_directories.h"
#include "mounts/opened_backends.h"
#include "mounts/rclone_providers.h"
#include "mounts/remote_access.h"
#include "mounts/token_keeper.h"

namespace coffer::app {

/// The data folder, opened: what the server, and commands where none runs, work with.
class AppContext {
 public:
  /// For a command, as the user that the data folder belongs to: opens it and the catalog. With an
  /// SQLite catalog no other process uses either as long as the object lives; `exists` if one does.
  /// `not_found` where there is no data, unless that is to be made: the folder (0700) and the
  /// catalog. `forbidden` or `failed`, always with one clear line.
  enum class IfMissing { refuse, make };
  static Result<std::unique_ptr<AppContext>> open(const Settings& settings,
                                                  std::size_t pool_threads, IfMissing missing);
  /// For a server, or a command that takes its place: no other process uses the data folder or the
  /// catalog as long as the object lives; `exists` if one does, before anything was changed. Makes
  /// what is missing and recovers what a crash interrupted on this machine's disks. `command` names
  /// this process to others.
  static Result<std::unique_ptr<AppContext>> open_alone(const Settings& settings,
                                                        std::size_t pool_threads,
                                                        std::string_view command);
  /// Beside a server, for what changes nothing that a server keeps in memory.
  static Result<std::unique_ptr<AppContext>> open_beside(const Settings& settings,
                                                         std::size_t pool_threads);

  /// Becomes the user that the data folder belongs to; `not_found` if there is none with a catalog,
  /// `forbidden` if this process may not be that user. Before anything is opened.
  static Result<void> find_data(const Settings& settings);

  /// True if no other process uses the data.
  bool is_alone() const { return lock_.has_value(); }
  core::WorkPools& pools() { return *pools_; }
  catalog::Catalog& catalog() { return *catalog_; }
  mounts::LocalHomeDirectories& homes() { return homes_; }
  core::Mounts& mounts() { return mounts_; }
  mounts::OpenedBackends& mount_backends() { return mount_backends_; }
  /// How servers and drives are reached, until its end.
  mounts::RemoteAccess& remote_access() { return remote_access_; }
  const core::ConnectorTypes& connector_types() const { return connector_types_; }
  mounts::RcloneProviders& drive_providers() { return drive_providers_; }
  /// Without a key where the key file is missing although secrets were sealed with it.
  const core::Sealer& sealer() const { return sealer_; }
  /// `failed` then, saying what to put back.
  const Result<void>& has_secret_key() const { return has_secret_key_; }

 private:
  AppContext(const Settings& settings, std::unique_ptr<core::WorkPools> pools,
             std::unique_ptr<local::LocalStore> store, const Result<core::Sealer::Key>& key,
             std::unique_ptr<catalog::Catalog> catalog);
  enum class Recovery : bool { no, yes };
  static Result<std::unique_ptr<AppContext>> with_catalog(const Settings& settings,
                                                          std::size_t pool_threads,
                                                          std::unique_ptr<catalog::Catalog> catalog,
                                                          Recovery recovery);
  Result<void> keep_token(const catalog::Connector& connector, const std::string& token);

  std::optional<LockFile> lock_;  ///< Goes last.
  const std::unique_ptr<core::WorkPools> pools_;
  const std::unique_ptr<local::LocalStore> store_;
  Result<void> has_secret_key_;
  core::Sealer sealer_;
  mounts::LocalHomeDirectories homes_;
  std::unique_ptr<catalog::Catalog> catalog_;
  mounts::RcloneProviders drive_providers_;
  core::ConnectorTypes connector_types_;
  mounts::TokenKeeper tokens_;  ///< Gone before what it keeps them in, after the drives.
  mounts::RemoteAccess remote_access_;
  mounts::OpenedBackends mount_backends_;
  core::Mounts mounts_;
};

}  // namespace coffer::app
