#pragma once

#include <memory>
#include <shared_mutex>
#include <string>

#include "async/pool.h"
#include "backends/local/folder_sync.h"
#include "backends/local/root.h"
#include "backends/local/staging.h"

namespace coffer::local {

class FolderWatches;

/// What a backend and all views of it share.
struct Volume {
  Pool& pool;
  Pool& lengthy_pool;  ///< For what works through whole trees.
  Root root;
  bool durable;
  std::shared_ptr<Staging> staging;  ///< Null where nothing can be changed.
  std::string hidden;  ///< The staging folder's name, where it stands directly in the root.
  FolderSync folder_sync;
  /// Held for the few system calls that change names, so that nothing lands in a folder that is
  /// being removed, and that sizes taken under it are exact; shared by those that only add files
  /// under new names. Not held for an fsync. Shared folders of one disk have it in common, since
  /// one may lie within another.
  std::shared_ptr<std::shared_mutex> steps = std::make_shared<std::shared_mutex>();
  /// Where the root was when it was opened, if it may be moved or removed through another one.
  std::string top = {};
  FolderWatches* watches = nullptr;  ///< The store's; never null in use.

  /// Whether the root is where it was. While `steps` is held, no other root moves it.
  bool stands() const;
};

}  // namespace coffer::local
