#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "core/archive/archive_item.h"
#include "core/archive/archive_report.h"

namespace coffer::core {

/// Goes through files and folders, each folder in front of what is in it. It holds the listings of
/// the folders on the way to the item alone. What cannot be had goes into the report.
class ArchiveTree {
 public:
  /// Both outlive it.
  ArchiveTree(std::vector<ArchiveItem> tops, Pool& pool, ArchiveReport& report);

  /// Nothing at the end. Links are files; those to folders could go round for ever, and are left
  /// out.
  Task<std::optional<ArchiveItem>> next();

 private:
  struct Level {
    ArchiveItem folder;
    std::vector<storage::Entry> entries;
    std::size_t next = 0;
  };
  Task<void> enter(const ArchiveItem& folder);
  Task<void> tell_what_is_not_listed(const ArchiveItem& folder, bool has_links);
  void arrange(Level& level);
  bool takes(const ArchiveItem& folder, const storage::Entry& entry);
  static ArchiveItem item_of(const ArchiveItem& folder, storage::Entry entry);

  std::deque<ArchiveItem> tops_;
  Pool& pool_;
  ArchiveReport& report_;
  std::vector<Level> levels_;
};

}  // namespace coffer::core
