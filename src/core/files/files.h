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
  Namespace ns;  ///< Keeps the reader's backend alive, so it goes last.
  std::unique_ptr<storage::Reader> reader;
};

/// What people do with files, under the rules of the namespace, the quota and the keys' scopes.
/// Safe from any thread. Errors come in the order of the contract: form, rights, existence,
/// conflict, quota.
class Files {
 public:
  Files(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts, const Quota& quota,
        AccessRecheck& access_recheck, MoveCopyService& move_copy, FolderChanges& folder_changes,
        WorkPools& pools)
      : homes_(homes),
        mounts_(mounts),
        quota_(quota),
        folder_changes_(folder_changes),
        access_recheck_(access_recheck),
        move_copy_(move_copy),
        reader_(catalog, quota.background, pools),
        pages_(reader_, pools) {}

  Task<Result<std::vector<Location>>> locations(const Principal& principal);
  /// `invalid` for a file. Nothing that takes long happens on the caller's thread.
  Task<Result<Listing>> list(const Principal& principal, const Path& folder);
  /// Some of the same items, in an order; what large folders hold is kept for the next page where
  /// the backend can tell that they did not change.
  Task<Result<FolderPage>> page(const Principal& principal, const Path& folder,
                                PageRequest request);
  Task<Result<ListedItem>> info(const Principal& principal, const Path& path);
  /// `invalid` for a folder.
  Task<Result<OpenFile>> open(const Principal& principal, const Path& path);

  /// Begins an upload into an existing folder. `content_length` is the request's, if it has one;
  /// `over_quota` if that cannot fit.
  Task<Result<std::unique_ptr<Upload>>> upload(const Principal& principal, const Path& folder,
                                               std::optional<std::uint64_t> content_length);

  /// Missing parents are made too; `exists` if the name is taken.
  Task<Result<void>> make_folder(const Principal& principal, const Path& parent, const Name& name);
  /// An empty file. False if the name was taken, and nothing changed.
  Task<Result<bool>> make_file(const Principal& principal, const Path& parent, const Name& name);
  /// Gives an item another name where it is.
  Task<Result<void>> rename(const Principal& principal, const Path& path, const Name& new_name);
  /// Puts an item, under its own name, into the folder `to`, of another place too; what takes long
  /// is a task that goes on when the caller goes away.
  Task<Result<void>> move(const Principal& principal, const Path& from, const Path& to);
  Task<Result<void>> copy(const Principal& principal, const Path& from, const Path& to);
  /// Deletes an item with all in it for good, and revokes the keys scoped there.
  Task<Result<void>> remove(const Principal& principal, const Path& path);
  /// The same for a place that was resolved for writing.
  Task<Result<void>> remove(const Principal& principal, const ResolvedPath& place);

 private:
  /// Whether the rights to write there still stand, asked just before that is done.
  Task<Result<void>> recheck(const Principal& principal, const ResolvedPath& place);

  Task<Result<storage::Removed>> remove_with_keys(const Principal& principal,
                                                  const ResolvedPath& place);
  /// Whether what was read was the principal's to read: the name of a key's folder may have become
  /// another's meanwhile.
  Task<Result<void>> recheck(const Principal& principal);
  /// Of the item's new place; `invalid` where a folder would go into itself.
  Task<Result<Placement>> check_placement(const MoveCopyRequest& request, bool moves);

  HomeDirectories& homes_;
  Mounts& mounts_;
  const Quota quota_;
  FolderChanges& folder_changes_;
  AccessRecheck& access_recheck_;
  MoveCopyService& move_copy_;
  FolderReader reader_;
  FolderPages pages_;
};

}  // namespace coffer::core
