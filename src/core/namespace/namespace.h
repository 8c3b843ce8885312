#pragma once

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

/// A resolved path: the backend, the path in it, and what may be done there.
struct ResolvedPath {
  storage::Backend* backend = nullptr;  ///< Lives as long as the Namespace that resolved it.
  Path path;                            ///< Within the backend.
  Path base;  ///< Where the backend's root is, from the account's root: as key scopes are shown.
  bool is_top = false;  ///< The root, the scope's folder or a mount's: not to be moved or removed.
  bool read_only = false;
  /// Whose quota counts what is stored here; null if none does.
  std::shared_ptr<const catalog::Account> quota_account;
  std::optional<Mount> mount;  ///< The one that it is in.

  /// The place from the account's root.
  Path account_path() const { return base / path; }
  /// False for what is on this machine's disks.
  bool is_on_server() const { return mount && mount->kind != LocationKind::shared; }
};

/// The tree that one principal sees. Scope and mounts are resolved here and nowhere else, so
/// nothing else decides access. Made for one request; its places must not outlive it.
class Namespace {
 public:
  static Result<Namespace> of(const Principal& principal, HomeDirectories& homes, Mounts& mounts);

  /// Where `path` leads. `forbidden` for a mount's path from a scoped key, `not_found` for a mount
  /// that does not exist, or for own files whose folder is missing. Does not look whether the item
  /// exists.
  Task<Result<ResolvedPath>> resolve(const Path& path);
  /// The same, `forbidden` where nothing may be written.
  Task<Result<ResolvedPath>> resolve_for_writing(const Path& path);
  /// Where an item of a bin lies, or what is in it, by the path of that in its place: for what is
  /// known to be the principal's.
  Task<Result<ResolvedPath>> resolve_in_bin(const Path& path);
  /// All that the principal can reach: own files and mounts, or its scope alone.
  Task<Result<std::vector<Location>>> locations() const;
  /// The mounts that stand in the folder: all in the account's root, none elsewhere.
  Task<Result<std::vector<Mount>>> mounts_in(const ResolvedPath& folder) const;
  /// True if names beginning like a mount's cannot be made in this folder.
  bool reserves_mount_names(const ResolvedPath& folder) const;

 private:
  Namespace(Principal principal, std::shared_ptr<storage::Backend> own, Mounts& mounts)
      : principal_(std::move(principal)), own_(std::move(own)), mounts_(&mounts) {}

  /// As `resolve`, but also of names that no request may ask for.
  Task<Result<ResolvedPath>> locate(const Path& path);
  ResolvedPath own_place(const Path& path) const;
  Task<Result<ResolvedPath>> mounted_place(const Path& path);
  Task<Result<ResolvedPath>> place_in_mounted_scope(const Path& path);
  /// Opened once for this space, so that places of one mount have one backend.
  Task<Result<OpenMount>> open_mount(std::string_view prefix);

  Principal principal_;
  std::shared_ptr<storage::Backend> own_;  ///< At the account's root, or at the scope's folder;
                                           ///< null where that is in a mount, or missing.
  Mounts* mounts_;
  std::vector<OpenMount> opened_;
  std::shared_ptr<storage::Backend> scoped_;  ///< At the scope's folder, where that is in a mount.
};

}  // namespace coffer::core
