#pragma once

#include <memory>
#include <shared_mutex>
#include <string>

#include "async/pool.h"
#include "backends/local/content_log.h"
#include "backends/local/folder_sync.h"
#include "backends/local/handle.h"
#include "backends/local/staging.h"

namespace coffer::local {

/// What a backend and all views of it share.
struct Volume {
  Pool& pool;
  Handle root;
  bool durable;
  std::unique_ptr<Staging> staging;
  std::string hidden;  ///< The staging folder's name, where it stands directly in the root.
  FolderSync folder_sync;
  /// Held for the few system calls that change names, so that nothing lands in a folder that is
  /// being removed, and that sizes taken under it are exact; shared by those that only add files
  /// under new names. Not held for an fsync, but by a rename of what the log still holds.
  std::shared_mutex steps;
  std::unique_ptr<ContentLog> log;  ///< Null where small files are synced each by itself.
};

}  // namespace coffer::local
