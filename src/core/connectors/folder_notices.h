#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "base/path.h"
#include "storage/folder_watch.h"

namespace coffer::core {

/// Tells those who watch folders of one tree what this process changes in it, where no other part
/// does. Hidden names do not count. Safe from any thread.
class FolderNotices : public std::enable_shared_from_this<FolderNotices> {
 public:
  /// Ends when what it returns is destroyed. That keeps this alive.
  std::unique_ptr<storage::FolderWatch> watch(Path folder, storage::FolderListener listener);

  /// An item came, went or was written, with all that is in it.
  void tell(const Path& item) const;
  /// A folder was made, and maybe some of those above it.
  void tell_made(const Path& folder) const;

 private:
  class Watch;
  struct Watched {
    Path folder;
    storage::FolderListener listener;
  };

  mutable std::mutex mutex_;
  std::size_t last_id_ = 0;
  std::map<std::size_t, Watched> watched_;
};

}  // namespace coffer::core
