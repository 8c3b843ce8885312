#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/events/event_service.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"
#include "storage/folder_watch.h"

namespace coffer::core {

/// Where several servers share a catalog: watches the folders here that clients of other servers
/// watch, and delivers what those servers tell. A change of a folder reaches the clients of all
/// servers within two seconds.
class WatchesForOthers {
 public:
  WatchesForOthers(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                   EventService& events, Background& background)
      : catalog_(catalog), namespace_(homes, mounts), events_(events), background_(background) {}

  /// Call it every half second, never concurrently. Does nothing where this server is the only one.
  Task<void> look();

 private:
  struct Watched {
    ResolvedPath folder;
    std::unique_ptr<storage::FolderWatch> watch;
  };
  /// Folders in which something changed since the last look. Watches may call after this object's
  /// end.
  struct Changes {
    std::mutex mutex;
    catalog::WatchedFolders folders;
    bool has_lost = false;

    void add(const catalog::WatchedFolder& folder, storage::FolderNotice notice);
  };

  catalog::WatchedFolders take_changes();
  Task<void> follow_and_end(catalog::WatchedFolders wanted);
  Task<void> follow(const catalog::WatchedFolders& wanted);
  Task<std::optional<Watched>> watch(const catalog::WatchedFolder& folder);
  Task<void> deliver();

  catalog::Catalog& catalog_;
  const Namespace namespace_;
  EventService& events_;
  Background& background_;
  bool is_following_ = false;
  const std::shared_ptr<Changes> changes_ = std::make_shared<Changes>();
  std::map<catalog::WatchedFolder, Watched> watched_;
  std::optional<catalog::RightsMark> mark_;  ///< When the watches were begun.
};

}  // namespace coffer::core
