#include "core/folder_snapshot.h"

#include <algorithm>
#include <numeric>

#include "base/natural_order.h"

namespace coffer::core {
namespace {

/// Whether the entry comes before the position in ascending order, or at it.
bool is_up_to(const storage::Entry& entry, SortKey key, const PagePosition& position) {
  const std::int64_t number = sort_number(entry, key);
  if (number != position.number) return number < position.number;
  return !natural_less(position.name, entry.name);
}

}  // namespace

std::int64_t sort_number(const storage::Entry& entry, SortKey key) {
  switch (key) {
    case SortKey::name:
      return 0;
    case SortKey::size:
      return static_cast<std::int64_t>(entry.size_bytes);
    case SortKey::modified:
      return entry.modified_at.time_since_epoch().count();
  }
  std::unreachable();
}

const FolderSnapshot::Indices& FolderSnapshot::sorted_by(SortKey key) const {
  const std::lock_guard lock(mutex_);
  Indices& indices = orders_[static_cast<std::size_t>(key)];
  if (indices.size() == entries_.size()) return indices;
  indices.resize(entries_.size());
  std::iota(indices.begin(), indices.end(), 0);
  if (key == SortKey::name) return indices;
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const std::int64_t left = sort_number(entries_[a], key);
    const std::int64_t right = sort_number(entries_[b], key);
    return left != right ? left < right : a < b;
  };
  const auto files = indices.begin() + static_cast<std::ptrdiff_t>(folders_);
  std::sort(indices.begin(), files, less);
  std::sort(files, indices.end(), less);
  return indices;
}

std::vector<const storage::Entry*> FolderSnapshot::entries_of(
    ItemKind kind, const PageOrder& order, const std::optional<PagePosition>& after,
    std::size_t limit) const {
  std::span<const std::uint32_t> indices = sorted_by(order.key);
  indices = kind == ItemKind::folder ? indices.first(folders_) : indices.subspan(folders_);
  if (after && after->kind == kind) {
    const auto place = std::ranges::partition_point(
        indices, [&](std::uint32_t index) { return is_up_to(entries_[index], order.key, *after); });
    auto split = static_cast<std::size_t>(place - indices.begin());
    if (order.descending && split > 0) {
      const storage::Entry& at = entries_[indices[split - 1]];
      if (sort_number(at, order.key) == after->number && at.name == after->name) --split;
    }
    indices = order.descending ? indices.first(split) : indices.subspan(split);
  }
  std::vector<const storage::Entry*> found;
  found.reserve(std::min(limit, indices.size()));
  for (std::size_t i = 0; i < indices.size() && i < limit; ++i) {
    found.push_back(&entries_[indices[order.descending ? indices.size() - 1 - i : i]]);
  }
  return found;
}

}  // namespace coffer::core
