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

/// A resolved path: the backend, the path in it, and the rights there. It keeps the backend alive.
struct ResolvedPath {
  std::shared_ptr<storage::Backend> backend;
  Path path;            ///< Within the backend.
  Path base;            ///< The backend's root, from the account's root: as key scopes are shown.
  bool is_top = false;  ///< The root, the scope's folder or a mount's: not to be moved or removed.
  bool is_scoped = false;  ///< The principal is limited to a folder, which `base` is.
  bool read_only = false;
  /// The account whose quota counts what is stored here; null if none does.
  std::shared_ptr<const catalog::Account> quota_account;
  std::optional<Mount> mount;  ///< The mount that contains the path.
  /// The home's or the mount's whole backend, which `backend` is a part of for a limited key.
  const storage::Backend* whole_backend = nullptr;

  /// The path from the account's root.
  Path account_path() const { return base / path; }
  /// False for what is on this machine's disks.
  bool is_on_server() const { return mount && mount->kind != LocationKind::shared; }
  /// True if both paths are paths within one backend, so that a rename can lead from one to the
  /// other.
  bool shares_backend(const ResolvedPath& other) const {
    return whole_backend == other.whole_backend && base == other.base;
  }
  /// True if names beginning like a mount's cannot be made in this folder.
  bool reserves_mount_names() const { return account_path().is_root() || (is_scoped && is_top); }
};

/// The operation that a path is resolved for.
enum class Access : std::uint8_t {
  read,
  write,   ///< `forbidden` where nothing may be written.
  in_bin,  ///< As `write`, for an item of a bin, or one within it, that is the principal's.
};

/// The trees that principals see. Scopes and mounts are resolved here and nowhere else, so nothing
/// else decides access. Cheap to copy. Safe from any thread.
class Namespace {
 public:
  Namespace(HomeDirectories& homes, Mounts& mounts) : homes_(homes), mounts_(mounts) {}

  /// Resolves a path from the principal's root. `forbidden` for a mount's path from a scoped key,
  /// `not_found` for a mount that does not exist, or for own files whose folder is missing. The
  /// item need not exist.
  Task<Result<ResolvedPath>> resolve(const Principal& principal, const Path& path,
                                     Access access = Access::read) const;
  /// All that the principal can reach: own files and mounts, or its scope alone.
  Task<Result<std::vector<Location>>> locations(const Principal& principal) const;
  /// The mounts that a listing of the folder shows: all in the account's root, none elsewhere.
  Task<Result<std::vector<Mount>>> mounts_in(const Principal& principal,
                                             const ResolvedPath& folder) const;
  Mounts& mounts() const { return mounts_; }

 private:
  /// As `resolve`, also for hidden names and without a check of `read_only`.
  Task<Result<ResolvedPath>> locate(const Principal& principal, const Path& path) const;
  Task<Result<ResolvedPath>> mounted_place(const Principal& principal, const Path& path) const;

  HomeDirectories& homes_;
  Mounts& mounts_;
};

}  // namespace coffer::core
