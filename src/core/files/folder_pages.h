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
#include "base/name_order.h"
#include "base/path.h"
#include "core/files/folder_reader.h"
#include "core/files/listing.h"
#include "core/namespace/mounts.h"
#include "storage/entry.h"

namespace coffer::core {

/// The property by which the items of a folder are sorted. Items with equal values are sorted by
/// name, by a NameOrder. In every order all folders come first, then all mounts, then all files.
/// Mounts are always in ascending order of their names.
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

/// A position in the sorted items of a folder, directly after one item, which the fields describe.
/// The position stays valid if this item is removed or other items are added.
struct PagePosition {
  ItemKind kind = ItemKind::folder;
  std::int64_t number = 0;  ///< The `sort_number` of the item; 0 for a mount.
  std::string name;  ///< The name of the item. For a mount: its name, a line break and its prefix.
};

struct PageRequest {
  PageOrder order;
  const NameOrder* names = &NameOrder::of("");  ///< How names are compared.
  std::size_t limit = 0;              ///< The most items that the page may have; at least 1.
  std::optional<PagePosition> after;  ///< `next` of the previous page; nullopt for the first page.
  /// The length of the folder's path from the principal's root, which each item repeats.
  std::size_t path_bytes = 0;
};

/// A page of a folder's items in the requested order. It has fewer items than the limit if all
/// would make more than some four mebibytes of JSON.
struct FolderPage {
  std::vector<ListedItem> items;
  std::optional<PagePosition> next;  ///< The start of the next page; nullopt on the last page.
  /// The number of the folder's items that no page shows (see storage::FolderListing).
  std::size_t left_out = 0;
  bool has_bin = false;       ///< Items that are deleted in this folder can go into a bin.
  bool has_versions = false;  ///< Contents that are replaced in this folder stay as versions.
  std::string name = {};      ///< The folder's ResolvedPath::name.
};

/// The entries that a folder had at one time, readable in any PageOrder. Safe from any thread.
class FolderSnapshot {
 public:
  /// `entries` must be in the order of sort_for_listing by `names`; `folders` is the number that it
  /// returned.
  FolderSnapshot(std::vector<storage::Entry> entries, std::size_t folders, const NameOrder& names,
                 std::size_t left_out = 0)
      : entries_(std::move(entries)), folders_(folders), names_(names), left_out_(left_out) {}

  std::size_t size() const { return entries_.size(); }
  const NameOrder& names() const { return names_; }
  /// Returns the number of the folder's items that are not entries.
  std::size_t left_out() const { return left_out_; }

  /// Returns up to `limit` entries of one kind, sorted by `order`. `kind` is folder or file, never
  /// mount. The result begins after the position `after` if that is a position of the same kind,
  /// otherwise with the first entry. The first call for each SortKey sorts all entries, which takes
  /// long for a large folder.
  std::vector<const storage::Entry*> entries_of(ItemKind kind, const PageOrder& order,
                                                const std::optional<PagePosition>& after,
                                                std::size_t limit) const;

 private:
  using Indices = std::vector<std::uint32_t>;
  /// Returns the indices of the entries in ascending order, the folders before the files.
  const Indices& sorted_by(SortKey key) const;

  const std::vector<storage::Entry> entries_;
  const std::size_t folders_;
  const NameOrder& names_;
  const std::size_t left_out_;
  mutable std::mutex mutex_;
  mutable Indices orders_[3];  ///< By SortKey; empty until the first request.
};

/// Returns the value of the property `key` as a number: the size in bytes, or the modification time
/// in nanoseconds since 1970. Returns 0 for SortKey::name, so that only the names are compared.
std::int64_t sort_number(const storage::Entry& entry, SortKey key);

/// Identifies the folder of a snapshot, as an account sees it in the order of a language.
struct SnapshotKey {
  AccountId account;
  Path folder;                     ///< From the account's root.
  bool leaves_out_mounts = false;  ///< True if items with names reserved for mounts are left out.
  const NameOrder* names = &NameOrder::of("");

  bool operator==(const SnapshotKey&) const = default;
};

/// A cache of the entries of large folders, so that the next page need not read the whole folder.
/// Evicts the least recently used snapshots if all snapshots together have too many entries. Evicts
/// each snapshot after a minute, because a write to a file can change the order by size or time,
/// but does not change the folder's FolderStamp. Safe from any thread.
class FolderSnapshots {
 public:
  using Snapshot = std::shared_ptr<const FolderSnapshot>;
  using Clock = std::chrono::steady_clock;

  explicit FolderSnapshots(std::function<Clock::time_point()> now = &Clock::now)
      : now_(std::move(now)) {}

  /// Returns the snapshot of a folder; null if the cache has none with this stamp.
  Snapshot find(const SnapshotKey& key, const storage::FolderStamp& stamp);
  /// Adds or replaces the snapshot of a folder, unless it has too few or too many entries.
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
  std::list<Kept> kept_;     ///< The most recently used first.
  std::size_t entries_ = 0;  ///< In all snapshots together.
};

/// Makes pages from a snapshot of a folder. Safe from any thread.
class PageMaker {
 public:
  /// `mounts` are the mounts in the folder. The snapshot must outlive the PageMaker.
  PageMaker(const FolderSnapshot& snapshot, std::vector<Mount> mounts, bool read_only);

  /// Returns the page, in the snapshot's order of names. The caller must set `has_bin`, `name`
  /// and ListedItem::folder of the items.
  FolderPage make(const PageRequest& request) const;

 private:
  void add_entries(ItemKind kind, const PageRequest& request, FolderPage& page) const;
  void add_mounts(const PageRequest& request, FolderPage& page) const;

  const FolderSnapshot& snapshot_;
  std::vector<Mount> mounts_;  ///< In the order of their names.
  const bool read_only_;
};

/// Reads folders page by page. Caches the entries of large folders if the backend provides a
/// FolderStamp, which shows whether a folder has changed. Safe from any thread.
class FolderPages {
 public:
  FolderPages(const Namespace& ns, FolderReader& reader, WorkPools& pools)
      : namespace_(ns), reader_(reader), pools_(pools) {}

  /// Returns the requested page. Sizes and times are current, even if the order is cached.
  /// The caller must set `has_bin`, `name` and ListedItem::folder of the items.
  Task<Result<FolderPage>> page(const Principal& principal, const ResolvedPath& place,
                                PageRequest request);

 private:
  struct Found {
    FolderSnapshots::Snapshot snapshot;
    bool is_kept = false;         ///< True if the snapshot comes from the cache.
    storage::Listed listed = {};  ///< The turn and the memory of a snapshot that was just read.
  };
  Task<Result<Found>> find(const Principal& principal, const ResolvedPath& place,
                           const NameOrder& names);
  Task<Result<Found>> read(const Principal& principal, const ResolvedPath& place, SnapshotKey key,
                           std::optional<storage::FolderStamp> stamp);

  const Namespace namespace_;
  FolderReader& reader_;
  WorkPools& pools_;
  FolderSnapshots snapshots_;
};

}  // namespace coffer::core
