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

/// An opened data folder with its catalog, for the server, or for a command if no server runs.
class AppContext {
 public:
  /// For a command: becomes the owner of the data folder and opens it and the catalog. With an
  /// SQLite catalog, no other process uses either while the object lives; `exists` if one does.
  /// `not_found` if there is no data; with IfMissing::make the folder (0700) and the catalog are
  /// made instead. `forbidden` or `failed` with one clear line otherwise.
  enum class IfMissing { refuse, make };
  static Result<std::unique_ptr<AppContext>> open(const Settings& settings,
                                                  std::size_t pool_threads, IfMissing missing);
  /// For a server, or a command in its place: no other process uses the data folder or the catalog
  /// while the object lives; `exists`, before any change, if one does. Makes missing folders and
  /// recovers changes of local files that a crash interrupted. `command` names this process to
  /// others.
  static Result<std::unique_ptr<AppContext>> open_alone(const Settings& settings,
                                                        std::size_t pool_threads,
                                                        std::string_view command);
  /// Opens the data beside a server, for a command that changes no rows that a server caches.
  static Result<std::unique_ptr<AppContext>> open_beside(const Settings& settings,
                                                         std::size_t pool_threads);

  /// Becomes the owner of the data folder, before anything is opened. `not_found` if there is no
  /// data folder with a catalog, `forbidden` if this process may not become that user.
  static Result<void> find_data(const Settings& settings);

  /// True if no other process uses the data.
  bool is_alone() const { return lock_.has_value(); }
  core::WorkPools& pools() { return *pools_; }
  catalog::Catalog& catalog() { return *catalog_; }
  mounts::LocalHomeDirectories& homes() { return homes_; }
  core::Mounts& mounts() { return mounts_; }
  mounts::OpenedBackends& mount_backends() { return mount_backends_; }
  /// The connections to servers and drives.
  mounts::RemoteAccess& remote_access() { return remote_access_; }
  const core::ConnectorTypes& connector_types() const { return connector_types_; }
  mounts::RcloneProviders& drive_providers() { return drive_providers_; }
  /// Has no key if the key file is missing although secrets were sealed with it.
  const core::Sealer& sealer() const { return sealer_; }
  /// `not_found` in that case; the message says which file to restore.
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

  std::optional<LockFile> lock_;  ///< Released last.
  const std::unique_ptr<core::WorkPools> pools_;
  const std::unique_ptr<local::LocalStore> store_;
  Result<void> has_secret_key_;
  core::Sealer sealer_;
  mounts::LocalHomeDirectories homes_;
  std::unique_ptr<catalog::Catalog> catalog_;
  mounts::RcloneProviders drive_providers_;
  core::ConnectorTypes connector_types_;
  mounts::TokenKeeper tokens_;  ///< Writes to the catalog, for the drives below.
  mounts::RemoteAccess remote_access_;
  mounts::OpenedBackends mount_backends_;
  core::Mounts mounts_;
};

}  // namespace coffer::app
