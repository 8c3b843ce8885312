#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/id.h"
#include "base/path.h"
#include "core/files/folder_reader.h"
#include "core/files/listing.h"
#include "core/namespace/mounts.h"
#include "storage/entry.h"

namespace coffer::core {

/// What the items of a folder are in order of: folders before mounts, and those before files, in
/// each order. What is equal goes by natural order of the names, as mounts always do.
enum class SortKey : std::uint8_t { name, size, modified };

std::string_view to_string(SortKey key);

struct PageOrder {
  SortKey key = SortKey::name;
  bool descending = false;

  bool operator==(const PageOrder&) const = default;
};

enum class ItemKind : std::uint8_t { folder, mount, file };

std::string_view to_string(ItemKind kind);

/// A place between two items in an order, by what the item before it was like: it stands also when
/// that item goes, or others come.
struct PagePosition {
  ItemKind kind = ItemKind::folder;
  std::int64_t number = 0;  ///< Bytes, or nanoseconds since 1970, as the order has it; else 0.
  std::string name;         ///< Of a mount with its prefix behind a line break.
};

struct PageRequest {
  PageOrder order;
  std::size_t limit = 0;              ///< At least 1.
  std::optional<PagePosition> after;  ///< From the beginning without it.
};

/// Some items of a folder, one after the other in an order.
struct FolderPage {
  std::vector<ListedItem> items;
  std::optional<PagePosition> next;  ///< Where the next page begins; nothing at the end.
  bool has_bin = false;              ///< What is deleted here can go into a bin.
};

/// What a folder held at one time, to be gone through in any order. Safe from any thread.
class FolderSnapshot {
 public:
  /// The entries in the order of a listing, `folders` of them in front.
  FolderSnapshot(std::vector<storage::Entry> entries, std::size_t folders)
      : entries_(std::move(entries)), folders_(folders) {}

  std::size_t size() const { return entries_.size(); }

  /// Entries of that kind in the order, up to `limit`: behind `after` where that is of the kind.
  /// The first call for an order sorts, which takes long for many entries.
  std::vector<const storage::Entry*> entries_of(ItemKind kind, const PageOrder& order,
                                                const std::optional<PagePosition>& after,
                                                std::size_t limit) const;

 private:
  using Indices = std::vector<std::uint32_t>;
  /// Ascending, folders and files apart.
  const Indices& sorted_by(SortKey key) const;

  const std::vector<storage::Entry> entries_;
  const std::size_t folders_;
  mutable std::mutex mutex_;
  mutable Indices orders_[3];  ///< By key; empty until asked for.
};

/// What the order goes by before the name; 0 in the order by name.
std::int64_t sort_number(const storage::Entry& entry, SortKey key);

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
