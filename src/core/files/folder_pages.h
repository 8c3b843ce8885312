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
#include "base/enum_words.h"
#include "base/id.h"
#include "base/path.h"
#include "core/files/folder_reader.h"
#include "core/files/listing.h"
#include "core/namespace/mounts.h"
#include "storage/entry.h"

namespace coffer::core {

/// The order of a folder's items: always folders before mounts before files. Equal items, and
/// mounts, are in natural order of their names.
enum class SortKey : std::uint8_t { name, size, modified };
constexpr auto words_of(SortKey) {
  using enum SortKey;
  return enum_words<SortKey>({{name, "name"}, {size, "size"}, {modified, "modified"}});
}

struct PageOrder {
  SortKey key = SortKey::name;
  bool descending = false;

  bool operator==(const PageOrder&) const = default;
};

enum class ItemKind : std::uint8_t { folder, mount, file };
constexpr auto words_of(ItemKind) {
  using enum ItemKind;
  return enum_words<ItemKind>({{folder, "folder"}, {mount, "mount"}, {file, "file"}});
}

/// A position in an order, given by the item before it. It stays valid when that item is removed or
/// others are added.
struct PagePosition {
  ItemKind kind = ItemKind::folder;
  std::int64_t number = 0;  ///< Bytes, or nanoseconds since 1970, as the order has it; else 0.
  std::string name;         ///< For a mount followed by a line break and its prefix.
};

struct PageRequest {
  PageOrder order;
  std::size_t limit = 0;              ///< At least 1.
  std::optional<PagePosition> after;  ///< nullopt for the beginning.
};

/// A page of a folder's items in some order.
struct FolderPage {
  std::vector<ListedItem> items;
  std::optional<PagePosition> next;  ///< The position of the next page; nullopt at the end.
  bool has_bin = false;              ///< Items deleted here can go into a bin.
};

/// A folder's entries at one time, readable in any order. Safe from any thread.
class FolderSnapshot {
 public:
  /// The entries in the order of a listing, `folders` of them in front.
  FolderSnapshot(std::vector<storage::Entry> entries, std::size_t folders)
      : entries_(std::move(entries)), folders_(folders) {}

  std::size_t size() const { return entries_.size(); }

  /// Returns up to `limit` entries of that kind in the order, from behind `after` if that is of the
  /// kind. The first call for an order sorts, which takes long for many entries.
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
  mutable Indices orders_[3];  ///< By key; empty until requested.
};

/// The number that the order compares before the name; 0 in the order by name.
std::int64_t sort_number(const storage::Entry& entry, SortKey key);

/// The folder of a snapshot, as an account sees it.
struct SnapshotKey {
  AccountId account;
  Path folder;                     ///< From the account's root.
  bool leaves_out_mounts = false;  ///< Without names that are reserved for mounts.

  bool operator==(const SnapshotKey&) const = default;
};

/// A cache of large folders' entries, so that the next page need not read the whole folder. Evicts
/// the least recently used beyond a limit, and each after a minute, since other programs' writes
/// into files change orders without changing the folder. Safe from any thread.
class FolderSnapshots {
 public:
  using Snapshot = std::shared_ptr<const FolderSnapshot>;
  using Clock = std::chrono::steady_clock;

  explicit FolderSnapshots(std::function<Clock::time_point()> now = &Clock::now)
      : now_(std::move(now)) {}

  /// Returns null unless there is a snapshot of that folder in that state.
  Snapshot find(const SnapshotKey& key, const storage::FolderStamp& stamp);
  /// Replaces an earlier snapshot. Ignores folders with too few or too many entries.
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
  std::list<Kept> kept_;  ///< The most recently used first.
  std::size_t entries_ = 0;
};

/// Makes pages from a snapshot of a folder. Safe from any thread.
class PageMaker {
 public:
  /// The snapshot must outlive it. `mounts` are the folder's.
  PageMaker(const FolderSnapshot& snapshot, std::vector<Mount> mounts, bool read_only);

  /// The items have no `folder`.
  FolderPage make(const PageRequest& request) const;

 private:
  void add_entries(ItemKind kind, const PageRequest& request, FolderPage& page) const;
  void add_mounts(const PageRequest& request, FolderPage& page) const;

  const FolderSnapshot& snapshot_;
  std::vector<Mount> mounts_;  ///< In natural order of their names.
  const bool read_only_;
};

/// Reads folders page by page, with a cache of large ones for backends that can detect changes.
/// Safe from any thread.
class FolderPages {
 public:
  FolderPages(const Namespace& ns, FolderReader& reader, WorkPools& pools)
      : namespace_(ns), reader_(reader), pools_(pools) {}

  /// The items have no `folder`. Their sizes and times are current.
  Task<Result<FolderPage>> page(const Principal& principal, const ResolvedPath& place,
                                PageRequest request);

 private:
  struct Found {
    FolderSnapshots::Snapshot snapshot;
    bool is_kept = false;  ///< It was cached for an earlier page.
  };
  Task<Result<Found>> find(const Principal& principal, const ResolvedPath& place);
  Task<Result<Found>> read(const Principal& principal, const ResolvedPath& place, SnapshotKey key,
                           std::optional<storage::FolderStamp> stamp);

  const Namespace namespace_;
  FolderReader& reader_;
  WorkPools& pools_;
  FolderSnapshots snapshots_;
};

}  // namespace coffer::core
