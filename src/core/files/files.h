#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/files/folder_pages.h"
#include "core/files/folder_parts.h"
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
  std::shared_ptr<storage::Backend> backend;  ///< Must outlive `reader`.
  std::unique_ptr<storage::Reader> reader;
  bool is_on_server = false;  ///< False for a file on this machine's disks.
  /// Fails if the principal has lost a right that it needed to open the file. Does not fail because
  /// the catalog fails. `Files` must outlive it.
  std::function<Task<Result<void>>()> still_allowed;
};

/// Operations on files and folders. They check the principal's rights and the quota, and update the
/// scopes of keys. If several errors apply, returns the first one in this order: invalid
/// request, missing right, missing item, conflict, quota. Safe from any thread.
class Files {
 public:
  Files(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts, const Quota& quota,
        AccessRecheck& access_recheck, MoveCopyService& move_copy, FolderChanges& folder_changes,
        WorkPools& pools, FolderLister& lister)
      : namespace_(homes, mounts),
        quota_(quota),
        folder_changes_(folder_changes),
        access_recheck_(access_recheck),
        move_copy_(move_copy),
        reader_(catalog, quota.background, pools, lister),
        pages_(namespace_, reader_, pools) {}

  Task<Result<std::vector<Location>>> locations(const Principal& principal);
  /// Returns all items of a folder, sorted (see Listing); `invalid` for a file.
  Task<Result<Listing>> list(const Principal& principal, const Path& folder);
  /// Returns one page of a folder's items in the requested order; `invalid` for a file. May keep
  /// the folder's entries in a cache for the next page (see FolderPages).
  Task<Result<FolderPage>> page(const Principal& principal, const Path& folder,
                                PageRequest request);
  /// Begins to read all items of a folder part by part; null where its backend cannot.
  Task<Result<std::unique_ptr<FolderParts>>> parts(const Principal& principal, const Path& folder);
  /// Returns the metadata of a file, folder or mount.
  Task<Result<ListedItem>> info(const Principal& principal, const Path& path);
  /// Opens a file for reading; `invalid` for a folder.
  Task<Result<OpenFile>> open(const Principal& principal, const Path& path);

  /// Begins an upload into an existing folder. `content_length` is the length of the request's
  /// body, if it is known. `over_quota` or `disk_full` if a body of this length cannot fit.
  Task<Result<std::unique_ptr<Upload>>> upload(const Principal& principal, const Path& folder,
                                               std::optional<std::uint64_t> content_length);
  /// Begins an upload of one file.
  Task<Result<std::unique_ptr<Upload>>> upload_one(const Principal& principal, const Path& file,
                                                   std::optional<std::uint64_t> content_length);

  /// Creates a folder and its missing parents; `exists` if the name is taken.
  Task<Result<void>> make_folder(const Principal& principal, const Path& parent, const Name& name);
  /// Creates an empty file in an existing folder. Returns false if the name is taken.
  Task<Result<bool>> make_file(const Principal& principal, const Path& parent, const Name& name);
  /// Renames an item within its folder; `exists` if the new name is taken.
  Task<Result<void>> rename(const Principal& principal, const Path& path, const Name& new_name);
  /// Moves an item into the folder `to`, as `name`, or under its own name. The folder may be on
  /// another backend. A move to another backend is a task, which continues after the client
  /// disconnects.
  Task<Result<void>> move(const Principal& principal, const Path& from, const Path& to,
                          std::optional<Name> name = {});
  /// Copies an item into the folder `to`, as `name`, or under its own name. The folder may be on
  /// another backend. The copy is a task, which continues after the client disconnects.
  Task<Result<void>> copy(const Principal& principal, const Path& from, const Path& to,
                          std::optional<Name> name = {});
  /// Checks whether the item may be deleted or replaced now.
  Task<Result<void>> check_replaceable(const Principal& principal, const Path& item);
  /// Deletes an item and its content permanently, and revokes the keys that are limited to it.
  /// With a `successor`, which has the item's content by now, they follow to that instead.
  Task<Result<void>> remove(const Principal& principal, const Path& path,
                            const ResolvedPath* successor = nullptr);
  /// Returns the texts that are stored with items of a folder (see storage::Backend::properties),
  /// in the order of the names. `.` stands for the folder, or file, itself. Mounts have none.
  Task<Result<std::vector<std::string>>> properties(const Principal& principal, const Path& folder,
                                                    std::vector<std::string> names);
  /// Stores such a text with an item; fails as storage::Backend::set_properties does.
  Task<Result<void>> set_properties(const Principal& principal, const Path& item, std::string text);
  /// Sets the modification time of a file or folder; `refused` where that cannot be set.
  Task<Result<void>> set_modified(const Principal& principal, const Path& item, Timestamp time);
  /// Returns the mounts in the root, unordered.
  Task<Result<std::vector<Mount>>> mounts(const Principal& principal);

  /// Like `remove` of a Path, for a path that was resolved with Access::write.
  Task<Result<void>> remove(const Principal& principal, const ResolvedPath& place,
                            const ResolvedPath* successor = nullptr);

 private:
  Task<Result<std::unique_ptr<Upload>>> begin_upload(const Principal& principal, const Path& folder,
                                                     std::optional<std::string> only_name,
                                                     std::optional<std::uint64_t> content_length);
  /// Makes a change of an item that does not concern its content. `change` gets its place.
  Task<Result<void>> change_item(const Principal& principal, const Path& item,
                                 std::function<Task<Result<void>>(const ResolvedPath&)> change);
  /// Checks again, just before a change, that the principal may make it.
  Task<Result<void>> recheck(const Principal& principal, PlaceChange change);

  Task<Result<storage::Removed>> remove_with_keys(const Principal& principal, ResolvedPath place,
                                                  const ResolvedPath* successor);
  /// Checks, after a read, that a key limited to a folder is still valid, because the folder may
  /// have been renamed during the read. Does nothing for other principals.
  Task<Result<void>> recheck(const Principal& principal);
  /// See OpenFile::still_allowed.
  Task<Result<void>> still_allowed(const Principal& principal, std::vector<MountUse> uses);
  /// Returns how the new path relates to the item; `invalid` if a folder would be put into itself.
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
