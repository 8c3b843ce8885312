#pragma once

#include <vector>

#include "core/folder_page.h"
#include "core/folder_snapshot.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// Makes pages of one folder out of what it held. Safe from any thread.
class PageMaker {
 public:
  /// The snapshot must outlive it. `mounts` are those that stand in the folder.
  PageMaker(const FolderSnapshot& snapshot, std::vector<Mount> mounts, bool read_only);

  /// The items do not tell where the folder is.
  FolderPage make(const PageRequest& request) const;

 private:
  void add_entries(ItemKind kind, const PageRequest& request, FolderPage& page) const;
  void add_mounts(const PageRequest& request, FolderPage& page) const;

  const FolderSnapshot& snapshot_;
  std::vector<Mount> mounts_;  ///< In natural order of their names.
  const bool read_only_;
};

}  // namespace coffer::core
