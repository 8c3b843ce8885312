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

  /// Returns where the own files of a new account are to lie; nullopt if there is one place only.
  virtual std::optional<catalog::HomeStore> store_of_new() const { return std::nullopt; }
  /// Notes that an operation writes to the account's own files, until the result is destroyed.
  /// `unready` while these files are being moved to another place.
  virtual Result<std::shared_ptr<void>> begin_write(const catalog::Account& /*account*/) {
    return std::shared_ptr<void>();
  }
};

/// A share, an item that another account shares, or a connector, as an account sees it.
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
  /// What another account shares, if the mount is that; else null.
  std::shared_ptr<const catalog::PersonShare> given = {};

  /// True if things may be added, and nothing may be changed or deleted.
  bool only_adds() const { return given && given->access == catalog::ShareAccess::add; }
};

/// Sorts mounts by name for a listing.
void sort_for_listing(std::vector<Mount>& mounts);

struct OpenMount {
  Mount mount;
  std::shared_ptr<storage::Backend> backend;
  /// The own files of the account that shares the item, if it is one (Mount::given); else null.
  std::shared_ptr<storage::Backend> owner_files = {};
  Path owner_base = {};  ///< The path of the backend's root in `owner_files`.

  /// Returns the backend that is not made anew each time.
  const storage::Backend* whole_backend() const {
    return owner_files ? owner_files.get() : backend.get();
  }
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
  Mounts(catalog::CachedMounts& catalog, MountBackends& backends, HomeDirectories& homes)
      : catalog_(catalog), backends_(backends), homes_(homes) {}

  /// Returns the account's mounts, unordered. An item that it receives by several shares is one: of
  /// the oldest share, with the widest access. The prefixes of the others lead there too.
  Task<Result<std::vector<Mount>>> of(AccountId account);
  /// Returns the mount with this prefix; `not_found` if the account has none. If it is an item of
  /// another account that is being moved, waits for that; `unready` if it takes over two seconds.
  Task<Result<Mount>> find(AccountId account, std::string_view prefix);
  /// Returns the mount with this prefix and its backend. Fails as `find` does.
  Task<Result<OpenMount>> open(AccountId account, std::string_view prefix);
  /// Returns the share with this prefix and its backend; `not_found` if there is no such share.
  /// Does not check whether any account may access the share.
  Task<Result<OpenMount>> open_share(std::string_view prefix);
  /// Returns what the account shares with others, unordered.
  Task<Result<catalog::CachedMounts::GivenShares>> given_by(AccountId owner);
  /// Returns the folders of all shares, unordered. Callers use them to find shares that overlap, so
  /// the list is empty if there is only one share.
  Task<Result<std::vector<ShareFolder>>> share_folders();
  /// Returns the folders of the shares with these prefixes.
  Task<Result<std::vector<ShareFolder>>> share_folders(std::span<const std::string> prefixes);

 private:
  using MountsPtr = std::shared_ptr<const catalog::AccountMounts>;
  Task<Result<MountsPtr>> read(AccountId account);
  /// The same when no mount with this prefix is being moved.
  Task<Result<MountsPtr>> read_settled(AccountId account, std::string_view prefix);
  template <class Location>
  Task<Result<OpenMount>> open_mount(const Location& location);
  Task<Result<OpenMount>> open_mount(const catalog::PersonShare& share);
  Task<Result<catalog::CachedMounts::AllShares>> read_all_shares();

  catalog::CachedMounts& catalog_;
  MountBackends& backends_;
  HomeDirectories& homes_;
};

/// Returns the backend limited to a folder, which it keeps alive.
std::shared_ptr<storage::Backend> limited(std::shared_ptr<storage::Backend> backend,
                                          const Path& folder);

}  // namespace coffer::core
