#pragma once

#include <expected>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "async/pool.h"
#include "backends/local/errno_error.h"
#include "backends/local/folder_sync.h"
#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "backends/local/status.h"
#include "base/path.h"

namespace coffer::local {

class FolderWatches;

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

/// Shared by a backend and all its views.
struct Volume {
  Pool& pool;
  Pool& lengthy_pool;  ///< For work on whole trees.
  Root root;
  bool durable;
  std::shared_ptr<Staging> staging;  ///< Null if nothing can be changed.
  std::string hidden;                ///< The staging folder's name if it is directly in the root.
  FolderSync folder_sync;
  /// Locked for the few system calls that change names, so that nothing is put into a folder that
  /// is being removed, and sizes taken under it are exact; shared by callers that only add files
  /// under new names. Not locked during an fsync. Shared folders of one disk have one in common,
  /// since one may lie within another.
  std::shared_ptr<std::shared_mutex> steps = std::make_shared<std::shared_mutex>();
  /// The root's path when it was opened, if it may be moved or removed through another root.
  std::string top = {};
  FolderWatches* watches = nullptr;  ///< The store's; never null in use.

  /// True if the root is where it was. While `steps` is locked, no other root moves it.
  bool stands() const;
};

/// The place of an item that exists or is to be made: its folder, and its name in it.
struct EntryRef {
  Handle folder;  ///< An O_PATH handle.
  std::string name;
};

/// Finds items beneath one root: a volume's, or a folder's in it for a view. Blocks. A view's links
/// are contained in the view, since its folder is opened first and everything else relative to it.
class Lookup {
 public:
  explicit Lookup(Volume& volume) : volume_(&volume) {}
  Lookup beneath(const Path& folder) const;

  Volume& volume() const { return *volume_; }
  /// True if this is the volume's own root, where the staging folder may stand.
  bool is_whole() const { return bases_.empty(); }

  /// Follows links that stay beneath the root.
  Opened open(const Path& path, std::uint64_t flags) const;
  /// In one step and without blocking; EAGAIN if it would block. Links are not followed.
  Opened open_cached(const Path& path, std::uint64_t flags) const;
  /// The item's folder and name. `forbidden` for the root, which has no place; `not_found`;
  /// `invalid` if the folder is a file.
  Result<EntryRef> place(const Path& path) const;
  /// An open folder. `not_found`, or `invalid` if it is a file.
  Result<Handle> open_folder(const Path& path, std::uint64_t flags) const;
  /// The file or folder at `path`, behind links: never a device, socket or FIFO. The handle is an
  /// O_PATH one.
  Result<std::pair<Handle, Status>> find(const Path& path, unsigned mask) const;
  /// The path from the volume's root on, unless links lead elsewhere.
  Path from_root(const Path& path) const { return joined_ / path; }
  /// True for the staging folder in the root and everything in it.
  bool is_hidden(const Path& path) const;

 private:
  Volume* volume_;
  std::vector<Path> bases_;  ///< Each contains the links of what follows.
  Path joined_;              ///< All of them.
};

}  // namespace coffer::local
