#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/accounts.h"
#include "catalog/connector_kind.h"
#include "catalog/mounts.h"
#include "storage/backend.h"

namespace coffer::core {

/// What kind of place a path leads to.
class LocationKind {
 public:
  static const LocationKind own;
  static const LocationKind shared;
  static const LocationKind scoped;

  constexpr LocationKind() = default;
  /// A connector.
  constexpr LocationKind(catalog::ConnectorKind kind) : word_(catalog::to_string(kind)) {}
  constexpr bool operator==(const LocationKind&) const = default;

  /// The word in a Location's `kind`.
  friend constexpr std::string_view to_string(LocationKind kind) { return kind.word_; }

 private:
  constexpr explicit LocationKind(std::string_view word) : word_(word) {}

  std::string_view word_ = "own";
};

inline constexpr LocationKind LocationKind::own{"own"};
inline constexpr LocationKind LocationKind::shared{"shared"};
inline constexpr LocationKind LocationKind::scoped{"scoped"};

/// One of the places that a principal can reach.
struct Location {
  LocationKind kind = LocationKind::own;
  std::string name;
  std::string path;    ///< The virtual prefix: empty for own files, `__adm_<id>/` for a share.
  std::string target;  ///< Where it points, without a secret or a path of this server.
  bool read_only = false;
};

/// True for the first component of a mount's path: `__adm_…` or `__conn_…`.
bool is_mount_name(std::string_view component);

/// Where the accounts' own files are. Safe from any thread.
class HomeDirectories {
 public:
  virtual ~HomeDirectories() = default;
  /// The backend of the account's own files; `not_found` where its folder is missing, which looks
  /// like a volume that is not mounted. Quick, as it stands on the way of every request.
  virtual Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) = 0;
  /// Makes the folder of an account that has stored nothing yet.
  virtual Result<void> make(const catalog::Account& account) = 0;
  /// Removes all files of an account that was removed. Waits for the disk, which may take long.
  /// `failed`, saying which folder stays.
  virtual Result<void> purge(const catalog::Account& account) = 0;
};

/// A place beside an account's own files, as that account sees it.
struct Mount {
  LocationKind kind = LocationKind::shared;
  std::string prefix;  ///< The first component of its paths: `__adm_<id>` or `__conn_<id>`.
  std::string name;
  std::string description;
  std::string target;  ///< For people; never a secret or a path of this server.
  bool read_only = false;
  Timestamp created_at = {};
};

/// Puts mounts into the order of a listing: by name.
void sort_for_listing(std::vector<Mount>& mounts);

/// A mount with what serves it.
struct OpenMount {
  Mount mount;
  std::shared_ptr<storage::Backend> backend;
};

/// Makes backends of what the catalog says of mounts, and keeps them for the next request. None of
/// it contacts a server, but a shared folder is looked at. Safe from any thread.
class MountBackends {
 public:
  virtual ~MountBackends() = default;
  /// The argument lives until the task ends.
  virtual Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Share& share) = 0;
  virtual Task<Result<std::shared_ptr<storage::Backend>>> of(
      const catalog::Connector& connector) = 0;
  /// Where the shares' folders are now, without links, in their order. Waits for disks.
  virtual Task<std::vector<std::string>> folders_of(std::span<const catalog::Share> shares) = 0;
};

/// Lists the top of what MountBackends::of opens, for those who set it up: it fails as that does.
Task<Result<void>> try_out(Task<Result<std::shared_ptr<storage::Backend>>> opening);

/// A shared folder.
struct ShareFolder {
  Path top;            ///< The share, from the root of the accounts that see it.
  std::string folder;  ///< Where it is on this machine, without links.
};

/// The mounts of accounts: what the catalog says now, at each call. Safe from any thread.
class Mounts {
 public:
  Mounts(catalog::CachedMounts& catalog, MountBackends& backends)
      : catalog_(catalog), backends_(backends) {}

  /// Shared folders and connectors together, in no order.
  Task<Result<std::vector<Mount>>> of(AccountId account);
  /// The one of that prefix; `not_found` if the account has none.
  Task<Result<Mount>> find(AccountId account, std::string_view prefix);
  /// The same, with its backend.
  Task<Result<OpenMount>> open(AccountId account, std::string_view prefix);
  /// A share of any accounts. Fails as `open` does.
  Task<Result<std::shared_ptr<storage::Backend>>> open_share(std::string_view prefix);
  /// The shares of all accounts, in no order; none if there is only one, which has no other
  /// beside it.
  Task<Result<std::vector<ShareFolder>>> share_folders();
  /// Those with these prefixes; waits for no other's disk.
  Task<Result<std::vector<ShareFolder>>> share_folders(std::span<const std::string> prefixes);

 private:
  Task<Result<std::shared_ptr<const catalog::AccountMounts>>> read(AccountId account);
  Task<Result<catalog::CachedMounts::AllShares>> read_all_shares();
  Task<std::vector<ShareFolder>> folders_of(std::span<const catalog::Share> shares);

  catalog::CachedMounts& catalog_;
  MountBackends& backends_;
};

}  // namespace coffer::core
