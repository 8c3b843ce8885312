#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/folder_page.h"
#include "storage/entry.h"

namespace coffer::core {

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

}  // namespace coffer::core
