#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/id.h"
#include "base/path.h"
#include "core/folder_snapshot.h"
#include "storage/entry.h"

namespace coffer::core {

/// Which folder a snapshot is of, as an account sees it.
struct SnapshotKey {
  AccountId account;
  Path folder;                     ///< From the account's root.
  bool leaves_out_mounts = false;  ///< Names that only mounts can have are left out.

  bool operator==(const SnapshotKey&) const = default;
};

/// Keeps what large folders held, so that the next page of one need not read all of it. The least
/// lately used go where there are too many entries, and each when it is a minute old: what other
/// programs write into files changes their order without changing the folder. Safe from any thread.
class FolderSnapshots {
 public:
  using Snapshot = std::shared_ptr<const FolderSnapshot>;
  using Clock = std::chrono::steady_clock;

  explicit FolderSnapshots(std::function<Clock::time_point()> now = &Clock::now)
      : now_(std::move(now)) {}

  /// Null unless there is one of that folder in that state.
  Snapshot find(const SnapshotKey& key, const storage::FolderStamp& stamp);
  /// In the place of an earlier one. One of a folder with too few or too many entries is not kept.
  void put(SnapshotKey key, const storage::FolderStamp& stamp, Snapshot snapshot);

 private:
  struct Kept {
    SnapshotKey key;
    storage::FolderStamp stamp;
    Clock::time_point made_at;
    Snapshot snapshot;
  };
  void drop_old();

  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;
  std::list<Kept> kept_;  ///< The one used last in front.
  std::size_t entries_ = 0;
};

}  // namespace coffer::core
