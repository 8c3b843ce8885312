#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "base/path.h"
#include "storage/folder_watch.h"

namespace coffer::storage {

/// Tells the watchers of folders in one tree of the changes that this process makes there, for
/// backends that hear of no others. Hidden names do not count. Safe from any thread.
class FolderNotices : public std::enable_shared_from_this<FolderNotices> {
 public:
  /// The watch ends when it is destroyed, and keeps this object alive.
  std::unique_ptr<FolderWatch> watch(Path folder, FolderListener listener);

  /// Tells of an item that came, went or was written, with all that is in it.
  void tell(const Path& item) const;
  /// Tells of a folder that was made, and maybe some of those above it.
  void tell_made(const Path& folder) const;

 private:
  class Watch;
  struct Watched {
    Path folder;
    FolderListener listener;
  };

  mutable std::mutex mutex_;
  std::size_t last_id_ = 0;
  std::map<std::size_t, Watched> watched_;
};

/// True if the item, or a folder above it, has a hidden name.
bool is_hidden(const Path& item);

}  // namespace coffer::storage
