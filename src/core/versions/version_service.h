#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/accounts/quota.h"
#include "core/files/files.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "storage/versions.h"

namespace coffer::core {

/// The versions of files (see storage::Versions), as far as a principal may see their files. To
/// list and open them, it must be allowed to read the file; to restore and remove them, to write to
/// it. Errors of all calls: `not_found` if there is no such version, or the principal cannot see
/// its file; those of Files. Safe from any thread.
class VersionService {
 public:
  VersionService(HomeDirectories& homes, Mounts& mounts, const Quota& quota,
                 AccessRecheck& access_recheck, FolderChanges& folder_changes,
                 std::chrono::days kept)
      : namespace_(homes, mounts),
        quota_(quota),
        access_recheck_(access_recheck),
        folder_changes_(folder_changes),
        kept_(kept.count()) {}

  /// Returns how long versions stay; 0: none are kept.
  std::chrono::days kept() const { return std::chrono::days(kept_.load()); }
  /// Changes it from now on.
  void keep_for(std::chrono::days kept) { kept_ = kept.count(); }

  /// Returns the versions of a file, the one that was replaced last first. Empty if the file's
  /// location keeps none. `invalid` for a folder.
  Task<Result<std::vector<storage::PastVersion>>> list(const Principal& principal,
                                                       const Path& file);
  /// Opens the content of a version.
  Task<Result<OpenFile>> open(const Principal& principal, storage::VersionId id);
  /// Gives the file the content of its version again; its present content becomes a version.
  /// `changed` if `may_replace` is set and fails for the file as it is, or if the file changes
  /// meanwhile. Returns the file.
  using MayReplace = std::function<Result<void>(const storage::Entry& file)>;
  Task<Result<storage::Entry>> restore(const Principal& principal, storage::VersionId id,
                                       MayReplace may_replace);
  /// Removes a version for good.
  Task<Result<void>> remove(const Principal& principal, storage::VersionId id);

 private:
  Task<Result<ResolvedPath>> file_of(const Principal& principal, storage::VersionId id,
                                     Access access);
  Task<Result<void>> still_allowed(const Principal& principal);

  const Namespace namespace_;
  const Quota quota_;
  AccessRecheck& access_recheck_;
  FolderChanges& folder_changes_;
  std::atomic<std::chrono::days::rep> kept_;
};

}  // namespace coffer::core
