#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/files/folder_pages.h"
#include "core/files/folder_reader.h"
#include "core/files/listing.h"
#include "core/files/move_copy_service.h"
#include "core/files/placement.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/tasks/background.h"
#include "core/tasks/task_runner.h"
#include "core/tasks/work_pools.h"
#include "core/uploads/upload.h"
#include "storage/backend.h"

namespace coffer::core {

struct OpenFile {
  std::shared_ptr<storage::Backend> backend;  ///< The reader's, so it is destroyed last.
  std::unique_ptr<storage::Reader> reader;
};

/// Operations on files, under the rules of the namespace, the quota and the keys' scopes. Errors
/// come in the order of the contract: form, rights, existence, conflict, quota. Safe from any
/// thread.
class Files {
 public:
  Files(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts, const Quota& quota,
        AccessRecheck& access_recheck, MoveCopyService& move_copy, FolderChanges& folder_changes,
        WorkPools& pools)
      : namespace_(homes, mounts),
        quota_(quota),
        folder_changes_(folder_changes),
        access_recheck_(access_recheck),
        move_copy_(move_copy),
        reader_(catalog, quota.background, pools),
        pages_(namespace_, reader_, pools) {}

  Task<Result<std::vector<Location>>> locations(const Principal& principal);
  /// Lists a folder; `invalid` for a file. Long work runs on other threads than the caller's.
  Task<Result<Listing>> list(const Principal& principal, const Path& folder);
  /// Returns one page of the same items in some order. Large folders are cached for the next page
  /// if the backend can detect changes of them.
  Task<Result<FolderPage>> page(const Principal& principal, const Path& folder,
                                PageRequest request);
  Task<Result<ListedItem>> info(const Principal& principal, const Path& path);
  /// `invalid` for a folder.
  Task<Result<OpenFile>> open(const Principal& principal, const Path& path);

  /// Begins an upload into an existing folder. `content_length` is the request's, if it has one;
  /// `over_quota` if so much cannot fit.
  Task<Result<std::unique_ptr<Upload>>> upload(const Principal& principal, const Path& folder,
                                               std::optional<std::uint64_t> content_length);

  /// Creates a folder and its missing parents; `exists` if the name is taken.
  Task<Result<void>> make_folder(const Principal& principal, const Path& parent, const Name& name);
  /// Creates an empty file. Returns false, without a change, if the name is taken.
  Task<Result<bool>> make_file(const Principal& principal, const Path& parent, const Name& name);
  /// Renames an item within its folder.
  Task<Result<void>> rename(const Principal& principal, const Path& path, const Name& new_name);
  /// Moves or copies an item, under its own name, into the folder `to`, which may be on another
  /// backend. Long work is a task, which continues after the client disconnects.
  Task<Result<void>> move(const Principal& principal, const Path& from, const Path& to);
  Task<Result<void>> copy(const Principal& principal, const Path& from, const Path& to);
  /// Deletes an item with its content permanently, and revokes the keys limited to it.
  Task<Result<void>> remove(const Principal& principal, const Path& path);
  /// The same for a path that was resolved for writing.
  Task<Result<void>> remove(const Principal& principal, const ResolvedPath& place);

 private:
  /// Checks again, just before a change, that the principal may write there.
  Task<Result<void>> recheck(const Principal& principal, const ResolvedPath& place);

  Task<Result<storage::Removed>> remove_with_keys(const Principal& principal,
                                                  const ResolvedPath& place);
  /// Checks again, after reading, that the key's folder still is the one that it was made for; it
  /// may have been renamed meanwhile.
  Task<Result<void>> recheck(const Principal& principal);
  /// Compares the item's old and new place; `invalid` if a folder would go into itself.
  Task<Result<Placement>> check_placement(const MoveCopyRequest& request, bool moves);

  const Namespace namespace_;
  const Quota quota_;
  FolderChanges& folder_changes_;
  AccessRecheck& access_recheck_;
  MoveCopyService& move_copy_;
  FolderReader reader_;
  FolderPages pages_;
};

}  // namespace coffer::core
