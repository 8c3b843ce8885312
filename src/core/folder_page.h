#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/listed_item.h"

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

}  // namespace coffer::core
