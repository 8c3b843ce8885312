#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "app/settings.h"
#include "backends/local/local_store.h"
#include "backends/objects/blobs.h"
#include "base/lock_file.h"
#include "catalog/catalog.h"
#include "core/connectors/connector_type.h"
#include "core/connectors/sealer.h"
#include "core/namespace/mounts.h"
#include "core/tasks/work_pools.h"
#include "mounts/account_homes.h"
#include "mounts/local_home_directories.h"
#include "mounts/object_store.h"
#include "mounts/opened_backends.h"
#include "mounts/rclone_providers.h"
#include "mounts/remote_access.h"
#include "mounts/token_keeper.h"

namespace coffer::app {

/// Decides how long a process waits for the lock on a data folder: up to ten seconds for a command,
/// which soon ends, but only 200 ms for a server. The lock file names the holder. The 200 ms allow
/// for a holder that has just taken the lock and has not yet replaced the previous holder's name.
class LockPatience {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  explicit LockPatience(Instant begin) : begin_(begin) {}
  static bool is_command(std::string_view holder);
  /// Called after each failed attempt to take the lock. Returns false to end the wait.
  bool waits_for(std::string_view holder, Instant now);

 private:
  const Instant begin_;
  std::optional<Instant> other_since_;  ///< The time since which the holder is no command.
};

/// An opened data folder with its catalog. A server has one. A command has one if it works on the
/// data itself instead of sending requests to a running server.
class AppContext {
 public:
  /// If there is no data, `open` fails (`refuse`) or makes a folder and a catalog (`make`).
  enum class IfMissing { refuse, make };
  /// Opens the data folder and the catalog for a command. First switches to the user who owns the
  /// folder. If the catalog is SQLite, locks the folder and the catalog for the lifetime of the
  /// object. Errors, with a message of one line:
  /// - `exists` if another process has locked the folder, or a running server uses an older schema;
  /// - `forbidden` if this process may not switch to that user;
  /// - `not_found` if there is no data and `missing` is `refuse`; `invalid` or `failed` otherwise.
  static Result<std::unique_ptr<AppContext>> open(const Settings& settings,
                                                  std::size_t pool_threads, IfMissing missing);
  /// Opens the data for a server, or for a command that must not run beside a server. Makes missing
  /// folders. Locks the data folder and the catalog for the lifetime of the object; `exists` if
  /// another process has one of these locks. Recovers or removes unfinished changes of local files
  /// that earlier processes left. Other processes' messages about the lock show `command`.
  static Result<std::unique_ptr<AppContext>> open_alone(const Settings& settings,
                                                        std::size_t pool_threads,
                                                        std::string_view command);
  /// Opens the data for a server: like `open_alone`, but if the settings say that several servers
  /// share the catalog, the others' locks do not matter. `failed` if the key file is not the same
  /// as theirs.
  static Result<std::unique_ptr<AppContext>> open_server(const Settings& settings,
                                                         std::size_t pool_threads);
  /// Opens the data without locks, for a command that can run while a server runs. The command must
  /// not change rows of the catalog that servers cache (see catalog/generation.h).
  static Result<std::unique_ptr<AppContext>> open_beside(const Settings& settings,
                                                         std::size_t pool_threads);

  /// Switches to the user who owns the data folder (see become_owner_of), and checks that there are
  /// a data folder and a catalog. Call it before this process opens any file. `not_found` if the
  /// folder or the catalog is missing; `forbidden` if this process may not switch to that user.
  static Result<void> find_data(const Settings& settings);

  /// Returns true if this object has the lock on the data folder.
  bool is_alone() const { return lock_.has_value(); }
  core::WorkPools& pools() { return *pools_; }
  catalog::Catalog& catalog() { return *catalog_; }
  mounts::AccountHomes& homes() { return *homes_; }
  /// Makes the folder of the homes that are plain files. `failed` if it is missing although files
  /// were stored in it. Blocks.
  Result<void> prepare_files(const Settings& settings);
  /// Returns the store of the contents of own files that are objects; null if the settings have
  /// none.
  objects::Blobs* object_store() { return object_store_ ? object_store_->blobs.get() : nullptr; }
  core::Mounts& mounts() { return mounts_; }
  mounts::OpenedBackends& mount_backends() { return mount_backends_; }
  mounts::RemoteAccess& remote_access() { return remote_access_; }
  /// Ends all work on remote servers, drives and the store of objects, when the program shuts down.
  void end_remote_work();
  const core::ConnectorTypes& connector_types() const { return connector_types_; }
  mounts::RcloneProviders& drive_providers() { return drive_providers_; }
  /// Encrypts connectors' secrets. Has no key if the key file is missing although secrets exist.
  const core::Sealer& sealer() const { return sealer_; }
  /// `not_found` if the sealer has no key; the message says which file to restore.
  const Result<void>& has_secret_key() const { return has_secret_key_; }
  /// Returns the id of the data folder, which the first call makes: 32 hexadecimal digits.
  static Result<std::string> id_of_data(const Settings& settings);

 private:
  /// Where own files lie of new accounts, and of those without a note of it.
  struct HomeStores {
    HomeStore of_new_accounts;
    HomeStore of_old_accounts;
  };
  AppContext(const Settings& settings, std::unique_ptr<core::WorkPools> pools,
             std::unique_ptr<local::LocalStore> store, const Result<core::Sealer::Key>& key,
             std::unique_ptr<catalog::Catalog> catalog,
             std::optional<mounts::ObjectStore> object_store, const HomeStores& stores);
  enum class Recovery : bool { no, yes };
  static Result<std::unique_ptr<AppContext>> with_catalog(const Settings& settings,
                                                          std::size_t pool_threads,
                                                          std::unique_ptr<catalog::Catalog> catalog,
                                                          Recovery recovery,
                                                          HomeStore of_new_accounts);
  Result<void> agree_on_key(const Settings& settings);
  /// Sets `local_homes_` too.
  std::unique_ptr<mounts::AccountHomes> open_homes(const Settings& settings,
                                                   const HomeStores& stores);
  Result<void> keep_token(const catalog::Connector& connector, const std::string& token);

  std::optional<LockFile> lock_;  ///< Released last.
  const std::unique_ptr<core::WorkPools> pools_;
  const std::unique_ptr<local::LocalStore> store_;
  Result<void> has_secret_key_;
  core::Sealer sealer_;
  std::unique_ptr<catalog::Catalog> catalog_;
  const std::optional<mounts::ObjectStore> object_store_;
  std::unique_ptr<mounts::LocalHomeDirectories> local_homes_;
  std::unique_ptr<mounts::AccountHomes> homes_;
  mounts::RcloneProviders drive_providers_;
  core::ConnectorTypes connector_types_;
  mounts::TokenKeeper tokens_;  ///< Writes the drives' renewed tokens to the catalog.
  mounts::RemoteAccess remote_access_;
  mounts::OpenedBackends mount_backends_;
  core::Mounts mounts_;
};

}  // namespace coffer::app
