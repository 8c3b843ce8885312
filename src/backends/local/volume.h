#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "async/pool.h"
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
  std::string hidden;      ///< The staging folder's name, where it stands directly in the root.
  FolderSync folder_sync;  ///< Uses the pool.
  /// Held for the few system calls that change names, so that nothing lands in a folder that is
  /// being removed, and that sizes taken under it are exact. Never held for an fsync.
  std::mutex steps;
};

}  // namespace coffer::local
