#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"
#include "storage/backend.h"

namespace coffer::core {

/// A resolved path: the backend, the path in the backend, and the rights there. A ResolvedPath
/// keeps its backend alive.
struct ResolvedPath {
  std::shared_ptr<storage::Backend> backend;
  Path path;               ///< Within the backend.
  Path base;               ///< The path of the backend's root, from the account's root.
  bool is_top = false;     ///< True for a root, scope or mount itself, which must not be moved.
  bool is_scoped = false;  ///< True if the principal is limited to the folder `base`.
  bool read_only = false;
  /// The account whose quota is charged for items stored here; null if no quota is charged.
  std::shared_ptr<const catalog::Account> quota_account;
  std::optional<Mount> mount;  ///< The mount that contains the path; nullopt for own files.
  /// Of an item that another account shares (Mount::given): the owner's own files, and the path of
  /// the backend's root in them. Else null.
  std::shared_ptr<storage::Backend> owner_files = {};
  Path owner_base = {};
  /// The backend of the account's own files, or of the mount. If the principal has a scope,
  /// `backend` is a view of a folder in it; otherwise both are the same.
  const storage::Backend* whole_backend = nullptr;
  /// Set if the path was resolved for a change of own files: see HomeDirectories::begin_write.
  std::shared_ptr<void> writing = {};

  /// Returns the path from the account's root.
  Path account_path() const { return base / path; }
  /// Returns whose own files the item is among, if it is in any: the owner's of a shared item.
  AccountId tree_account(AccountId account) const {
    return owner_files ? quota_account->id : account;
  }
  /// Returns the path from the root of that account.
  Path tree_path() const { return owner_files ? owner_base / path : account_path(); }
  /// Returns true in the location of a file that a person shares, which holds that file alone.
  bool is_of_one_file() const { return mount && mount->given && !mount->given->is_folder; }
  /// Returns the item's name for people: that of the mount at its top; empty for the account's
  /// root.
  std::string name() const {
    const Path whole = account_path();
    return mount && whole.depth() == 1 ? mount->name : std::string(whole.name());
  }
  /// Returns true if the path is on a remote server, false if it is on this machine's disks.
  bool is_on_server() const { return mount && mount->kind != LocationKind::shared; }
  /// Returns true if both paths are in the same backend, so that Backend::rename can move an item
  /// from one to the other.
  bool shares_backend(const ResolvedPath& other) const {
    return whole_backend == other.whole_backend && base == other.base;
  }
  /// Returns true if names that begin like a mount's prefix are reserved in this folder.
  bool reserves_mount_names() const { return account_path().is_root() || (is_scoped && is_top); }
};

/// The operation that a path is resolved for.
enum class Access : std::uint8_t {
  read,
  add,     ///< `forbidden` where the principal may not add new items.
  write,   ///< `forbidden` where the principal may not change and delete items.
  in_bin,  ///< Like `write`, but the path must be that of an item in the bin, or below one.
};

/// Returns the place of a path in a mount; `path` begins with the mount's prefix.
ResolvedPath place_in(OpenMount opened, const Path& path);

/// Returns the error for a change in a mount where only additions are allowed.
std::unexpected<Error> may_only_add(const Mount& mount);

/// Returns the versions of the files there; null if none are kept, or only others may see them:
/// those of an item that another account shares are the owner's.
storage::Versions* versions_of(const ResolvedPath& place);

/// Returns a place in an item that another account shares as one in the owner's own files, with the
/// same mount. Returns other places as they are.
ResolvedPath in_owner_tree(const ResolvedPath& place);

/// Resolves the paths of principals to backends and rights. No other class decides access. Cheap to
/// copy. Safe from any thread.
class Namespace {
 public:
  Namespace(HomeDirectories& homes, Mounts& mounts) : homes_(homes), mounts_(mounts) {}

  /// Resolves a path from the principal's root. The item need not exist. `forbidden` if `access` is
  /// not allowed, or if the principal has a scope and the path begins with a mount's prefix.
  /// `unready` if own files are to be changed that are being moved to another place.
  /// `not_found` if the mount does not exist, the folder of the account's own files is missing, or
  /// the path contains a hidden name (with `in_bin`: is not in the bin).
  Task<Result<ResolvedPath>> resolve(const Principal& principal, const Path& path,
                                     Access access = Access::read) const;
  /// Holds a principal to the place that the path's mount leads to now: later, `resolve` refuses
  /// its paths in the mount (`forbidden`) if the mount leads to another place.
  Task<Result<void>> hold(Principal& principal, const Path& path) const;
  /// Returns the trees that the principal can access: own files and mounts, or only the scope.
  Task<Result<std::vector<Location>>> locations(const Principal& principal) const;
  /// Returns the mounts to show in a listing of `folder`, by name. If `folder` is the account's
  /// root, these are all mounts of the account; otherwise there are none.
  Task<Result<std::vector<Mount>>> mounts_in(const Principal& principal,
                                             const ResolvedPath& folder) const;
  Mounts& mounts() const { return mounts_; }

 private:
  /// Resolves a path like `resolve`, but accepts hidden names and does not check `read_only`.
  Task<Result<ResolvedPath>> locate(const Principal& principal, const Path& path) const;
  Task<Result<ResolvedPath>> mounted_place(const Principal& principal, const Path& path) const;

  HomeDirectories& homes_;
  Mounts& mounts_;
};

}  // namespace coffer::core
