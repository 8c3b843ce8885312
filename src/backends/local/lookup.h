#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "backends/local/errno_error.h"
#include "backends/local/folder_sync.h"
#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "backends/local/status.h"
#include "base/path.h"

namespace coffer::local {

class LocalStore;

/// The open top folder of a backend.
struct Root {
  Handle folder;
  RootIdentity identity;
  std::pair<std::uint32_t, std::uint32_t> device;

  int get() const { return folder.get(); }
};

inline Result<Root> root_of(Handle folder) {
  const auto status = status_of(folder.get(), STATX_INO | STATX_BTIME);
  if (!status) return fail_with(status.error());
  return Root{std::move(folder), identity_of(*status), device_of(*status)};
}

/// The state that a backend and all its views share.
struct Volume {
  LocalStore& store;
  Pool& pool;
  Pool& lengthy_pool;  ///< For work on whole trees and large folders.
  Root root;
  bool durable;
  bool may_have_short_names = false;  ///< See local::may_have_short_names.
  bool keeps_inode_numbers = true;    ///< See local::keeps_inode_numbers.
  std::string hidden = {};  ///< The staging folder's name if it is in the root; else empty.
  bool is_collected_in_data = false;  ///< In the staging folder of the data folder.
  std::mutex opening = {};            ///< Locked while `staging` is set.
  CurrentStaging staging = {};        ///< Set before anything is changed.
  FolderSync folder_sync = {};
  /// Locked during the few system calls that change names, but not during an fsync. Without it,
  /// other calls could add items to a folder that is being removed, and the reported size of a
  /// replaced file could be wrong. Callers that only add files under new names lock it in shared
  /// mode. All shared folders on a file system use one mutex, since one may be inside another.
  std::shared_ptr<std::shared_mutex> steps = std::make_shared<std::shared_mutex>();
  /// If the root is a shared folder: its path when it was opened, because clients of an enclosing
  /// shared folder can move or remove the root (see `stands`). Otherwise empty.
  std::string top = {};

  /// Returns true if the root is still at the path `top`, or if `top` is empty. While the caller
  /// locks `steps`, no client of another shared folder can move this root.
  bool stands() const;
};

/// An item as an open folder and a name in that folder. The item need not exist.
struct EntryRef {
  Handle folder;  ///< An O_PATH handle.
  std::string name;
};

/// Finds items beneath the root of a backend or of a view. The root of a view is a folder in the
/// volume. A view opens its root first and resolves all paths relative to that folder, so symbolic
/// links cannot lead out of the view. Calls block, except `open_cached`.
class Lookup {
 public:
  explicit Lookup(Volume& volume) : volume_(&volume) {}
  Lookup beneath(const Path& folder) const;

  Volume& volume() const { return *volume_; }
  /// Returns true if the root is the root of the whole volume, and false for a view.
  bool is_whole() const { return bases_.empty(); }

  /// Returns true if an item of this name is never opened, since its name may be the short one of a
  /// hidden item.
  bool hides_name(std::string_view name) const;

  /// Opens an item. Follows symbolic links that stay beneath the root, but none in the path of the
  /// root itself, in a path with a name of the program's own (storage::is_hidden_name), or to an
  /// item at or below such a name: the folders of the program are reached by their own paths only.
  Opened open(const Path& path, std::uint64_t flags) const;
  /// Opens an item without blocking; EAGAIN if it would block. Does not follow symbolic links.
  Opened open_cached(const Path& path, std::uint64_t flags) const;
  /// Returns the open folder and the name of the item at `path`. The item need not exist.
  /// - `forbidden` if `path` is the root.
  /// - `invalid` if the item's parent is a file.
  /// - `not_found` if the folder is missing, `path` is hidden, or the root was moved (`stands`).
  Result<EntryRef> place(const Path& path) const;
  /// The same for an item that is renamed or removed: no symbolic link above it is followed. The
  /// caller has resolved them (Backend::canonical), so a link there has been changed since:
  /// `conflict`. `not_found` also if the item's parent is a file.
  Result<EntryRef> place_itself(const Path& path) const;
  /// Opens a folder. `not_found` if it is missing, `invalid` if it is a file.
  Result<Handle> open_folder(const Path& path, std::uint64_t flags) const;
  /// Returns an O_PATH handle and the status of the file or folder at `path`. Follows symbolic
  /// links. `not_found` if the item is missing, or is a device, socket or FIFO.
  Result<std::pair<Handle, Status>> find(const Path& path, unsigned mask) const;
  /// Returns the path relative to the volume's root. Symbolic links are not resolved.
  Path from_root(const Path& path) const { return joined_ / path; }
  /// Returns true if `path` is a staging folder in the volume's root, or is inside that folder.
  /// Also if it may lead to a hidden item by the short name of that.
  bool is_hidden(const Path& path) const;

 private:
  Result<void> check_place(const Path& path) const;
  Volume* volume_;
  std::vector<Path> bases_;  ///< The folders of nested views, each relative to the one before.
  Path joined_;              ///< All `bases_` as one path.
};

}  // namespace coffer::local
