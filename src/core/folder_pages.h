#pragma once

#include "async/task.h"
#include "core/folder_page.h"
#include "core/folder_reader.h"
#include "core/folder_snapshots.h"

namespace coffer::core {

/// Goes through folders page by page. What a large one holds is kept for a minute, and the next
/// page is taken from that where the backend can tell that no name in it changed. Safe from any
/// thread.
class FolderPages {
 public:
  FolderPages(FolderReader& reader, WorkPools& pools) : reader_(reader), pools_(pools) {}

  /// The items do not tell where the folder is. Their states are those of now.
  Task<Result<FolderPage>> page(const Principal& principal, const Namespace& ns,
                                const ResolvedPath& place, PageRequest request);

 private:
  struct Found {
    FolderSnapshots::Snapshot snapshot;
    bool is_kept = false;  ///< From an earlier page.
  };
  Task<Result<Found>> find(const Principal& principal, const Namespace& ns,
                           const ResolvedPath& place);
  Task<Result<Found>> read(const Principal& principal, const Namespace& ns,
                           const ResolvedPath& place, SnapshotKey key,
                           std::optional<storage::FolderStamp> stamp);

  FolderReader& reader_;
  WorkPools& pools_;
  FolderSnapshots snapshots_;
};

}  // namespace coffer::core
