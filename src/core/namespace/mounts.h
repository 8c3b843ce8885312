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
#include "base/enum_words.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/accounts.h"
#include "catalog/connector_kind.h"
#include "catalog/mounts.h"
#include "storage/backend.h"

namespace coffer::core {

/// The kind of a Location: an account's own files (`own`), a share (`shared`), one of the kinds of
/// connectors, or the folder that a principal is limited to (`scoped`).
class LocationKind {
 public:
  static const LocationKind own;
  static const LocationKind shared;
  static const LocationKind scoped;

  constexpr LocationKind() = default;
  constexpr LocationKind(catalog::ConnectorKind kind) : word_(word_of(kind)) {}
  constexpr bool operator==(const LocationKind&) const = default;

  constexpr std::string_view word() const { return word_; }

 private:
  constexpr explicit LocationKind(std::string_view word) : word_(word) {}

  std::string_view word_ = "own";
};

inline constexpr LocationKind LocationKind::own{"own"};
inline constexpr LocationKind LocationKind::shared{"shared"};
inline constexpr LocationKind LocationKind::scoped{"scoped"};

constexpr auto words_of(LocationKind) {
  constexpr auto kConnectors = words_of(catalog::ConnectorKind());
  std::array<EnumWord<LocationKind>, kConnectors.size() + 3> all{};
  auto next = all.begin();
  const auto add = [&next](LocationKind kind) { *next++ = {kind, kind.word()}; };
  add(LocationKind::own);
  add(LocationKind::shared);
  for (const auto& [kind, word] : kConnectors) add(kind);
  add(LocationKind::scoped);
  return all;
}

/// A tree of files that a principal can access. Namespace::locations lists them.
struct Location {
  LocationKind kind = LocationKind::own;
  std::string name;
  std::string path;    ///< The start of all paths in it: empty, or a mount's prefix and a slash.
  std::string target;  ///< Where its files are, for display; without secrets or local paths.
  bool read_only = false;
};

/// Returns true if a path's component begins with `__adm_` or `__conn_`, like a mount's prefix.
bool is_mount_name(std::string_view component);

/// Opens the folders that hold the accounts' own files. Safe from any thread.
class HomeDirectories {
 public:
  virtual ~HomeDirectories() = default;
  /// Returns the backend of the account's own files. `not_found` if the folder is missing, for
  /// example because a volume is not mounted; or the backend's calls fail so (see `find`). Must be
  /// fast, since every request calls it.
  virtual Result<std::shared_ptr<storage::Backend>> of(const catalog::Account& account) = 0;
  /// Does the same, but always fails with `not_found` if the folder is missing.
  virtual Task<Result<std::shared_ptr<storage::Backend>>> find(const catalog::Account& account) {
    co_return of(account);
  }
  /// Returns the absolute path of the account's folder on this machine; empty if there is none.
  virtual std::string location_of(const catalog::Account& /*account*/) const { return {}; }
  /// Creates the folder of an account that has stored nothing yet.
  virtual Task<Result<void>> make(const catalog::Account& account) = 0;
  /// Deletes all files of a removed account. May block for a long time. If files remain, returns
  /// `failed` with a message that names the folder.
  virtual Result<void> purge(const catalog::Account& account) = 0;
};

/// A share or connector, as an account sees it.
struct Mount {
  LocationKind kind = LocationKind::shared;
  std::string prefix;  ///< The first component of all paths in it: `__adm_<id>` or `__conn_<id>`.
  std::string name;
  std::string description;
  std::string target;  ///< Where its files are, for display; without secrets or local paths.
  /// What changes when it is led to another place, such as another folder. Absent: not known.
  std::optional<std::string> leads_to = {};
  bool read_only = false;
  Timestamp created_at = {};
};

/// Sorts mounts by name for a listing.
void sort_for_listing(std::vector<Mount>& mounts);

struct OpenMount {
  Mount mount;
  std::shared_ptr<storage::Backend> backend;
};

/// Creates and caches the backends of mounts. Creating the backend of a share reads the disks;
/// creating that of a connector contacts no server. Safe from any thread.
class MountBackends {
 public:
  virtual ~MountBackends() = default;
  /// Returns the backend of a share or of a connector. The argument must outlive the task.
  virtual Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Share& share) = 0;
  virtual Task<Result<std::shared_ptr<storage::Backend>>> of(
      const catalog::Connector& connector) = 0;
};

/// Tests a mount: awaits `opening` and lists the backend's top folder. Fails if either one fails.
Task<Result<void>> try_out(Task<Result<std::shared_ptr<storage::Backend>>> opening);

struct ShareFolder {
  Path top;            ///< The share's path from an account's root: its prefix.
  std::string folder;  ///< The folder's path on this machine, without symbolic links.
};

/// Finds and opens the mounts that accounts have now. Safe from any thread.
class Mounts {
 public:
  Mounts(catalog::CachedMounts& catalog, MountBackends& backends)
      : catalog_(catalog), backends_(backends) {}

  /// Returns the account's shares and connectors, unordered.
  Task<Result<std::vector<Mount>>> of(AccountId account);
  /// Returns the mount with this prefix; `not_found` if the account has none.
  Task<Result<Mount>> find(AccountId account, std::string_view prefix);
  /// Returns the mount with this prefix and its backend; `not_found` if the account has none.
  Task<Result<OpenMount>> open(AccountId account, std::string_view prefix);
  /// Returns the share with this prefix and its backend; `not_found` if there is no such share.
  /// Does not check whether any account may access the share.
  Task<Result<OpenMount>> open_share(std::string_view prefix);
  /// Returns the folders of all shares, unordered. Callers use them to find shares that overlap, so
  /// the list is empty if there is only one share.
  Task<Result<std::vector<ShareFolder>>> share_folders();
  /// Returns the folders of the shares with these prefixes.
  Task<Result<std::vector<ShareFolder>>> share_folders(std::span<const std::string> prefixes);

 private:
  Task<Result<std::shared_ptr<const catalog::AccountMounts>>> read(AccountId account);
  Task<Result<catalog::CachedMounts::AllShares>> read_all_shares();

  catalog::CachedMounts& catalog_;
  MountBackends& backends_;
};

}  // namespace coffer::core
