#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/events/event_feed.h"
#include "core/namespace/home_directories.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "storage/folder_watch.h"

namespace coffer::core {

/// What one client wants to hear of, and what watches that. One coroutine at a time, but for what
/// is const.
class EventSubscription {
 public:
  struct Services {
    catalog::Catalog& catalog;
    HomeDirectories& homes;
    Mounts& mounts;
  };
  EventSubscription(Services services, Principal the_principal, std::vector<Path> the_folders,
                    std::string id);

  const Principal principal;
  const std::vector<Path> folders;
  const std::shared_ptr<EventFeed> feed;
  /// Of the catalog, when its rights were looked at last; nothing before the first time.
  std::optional<catalog::RightsMark> mark;
  // What is to be looked at next, and whether that is under way: for the service's background.
  bool wants_all = false;
  bool wants_mounts = false;
  bool is_looking = false;

  /// Watches the folders; fails where one's place is not there, or not for the principal.
  Task<Result<void>> begin();
  /// Rights or places changed: tells of what is other than it was, watches mounts that came, and
  /// those no more that went.
  Task<void> look_again();
  /// Watches again what its mount serves in another way by now.
  Task<void> look_at_mounts();
  /// Whether a folder of it is in a share.
  bool has_share() const;
  /// Whether a right of it ended by itself.
  bool has_expired() const;

 private:
  struct Watched {
    std::optional<Mount> mount;
    std::shared_ptr<storage::Backend> opened;  ///< Of the mount.
    std::shared_ptr<Namespace> ns;             ///< Holds what is watched.
    std::unique_ptr<storage::FolderWatch> watch;
  };
  Task<Result<Watched>> watch(std::size_t index);
  storage::FolderListener listener(std::size_t index) const;
  Task<void> look_at_mount(std::size_t index);
  Task<void> look_at_account();
  Task<void> look_at_locations();

  const Services services_;
  std::vector<Watched> watched_;
  catalog::Account account_;  ///< As the client knows it.
  std::optional<std::string> locations_;
};

}  // namespace coffer::core
