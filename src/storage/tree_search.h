#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/entry.h"

namespace coffer::storage {

/// What all items that a search is to find have in common.
struct TreeQuery {
  std::string contains = {};  ///< A part of the name, folded (base/folding.h).
  std::optional<bool> is_directory = {};
  std::optional<Timestamp> modified_after = {};   ///< Inclusive.
  std::optional<Timestamp> modified_before = {};  ///< Exclusive.
  std::uint64_t min_bytes = 0;                    ///< Folders count as 0 bytes.
  std::uint64_t max_bytes = UINT64_MAX;
};

struct FoundEntry {
  Path folder;  ///< What the item is in, from the folder that is searched.
  Entry entry;
};

/// A part of what a search finds.
struct SearchPage {
  std::vector<FoundEntry> found = {};  ///< Unordered.
  std::uint64_t looked_at = 0;         ///< The number of names that were compared.
  bool is_last = false;
};

/// A search by an index of names, where that is faster than to list folder after folder. It finds
/// an item that is there from the first call to the last, and is not moved, exactly once. Items
/// with hidden names, and what is below them, are left out.
class TreeSearch {
 public:
  virtual ~TreeSearch() = default;

  /// Goes on for a short time. Errors are those of storage::Backend. Not safe for concurrent calls.
  virtual Task<Result<SearchPage>> next() = 0;
};

}  // namespace coffer::storage
