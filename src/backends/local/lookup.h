#pragma once

#include <expected>
#include <string>
#include <vector>

#include "backends/local/handle.h"
#include "backends/local/status.h"
#include "backends/local/volume.h"
#include "base/path.h"

namespace coffer::local {

/// Where an item stands or is to stand: its folder, and its name in there.
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
  /// In one step and without waiting; EAGAIN where that cannot be. Links are not followed.
  Opened open_cached(const Path& path, std::uint64_t flags) const;
  /// The item's folder and name; the root has no place: `forbidden`. `not_found`, or `invalid`
  /// where the folder is a file.
  Result<EntryRef> place(const Path& path) const;
  /// An open folder. `not_found`, or `invalid` where it is a file.
  Result<Handle> open_folder(const Path& path, std::uint64_t flags) const;
  /// What `path` shows: never a link, device, socket or FIFO. The handle is an O_PATH one.
  Result<std::pair<Handle, Status>> find(const Path& path, unsigned mask) const;
  /// The path from the volume's root on, if no link leads elsewhere.
  Path from_root(const Path& path) const { return joined_ / path; }
  /// True for the staging folder, where it stands in the root, and what is in it.
  bool is_hidden(const Path& path) const;

 private:
  Volume* volume_;
  std::vector<Path> bases_;  ///< Each contains the links of what follows.
  Path joined_;              ///< All of them.
};

}  // namespace coffer::local
