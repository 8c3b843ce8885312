#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/path.h"
#include "core/search/name_pattern.h"
#include "storage/backend.h"
#include "storage/entry.h"
#include "storage/remote.h"

namespace coffer::core {

/// Which items are looked for.
struct SearchTerms {
  NamePattern name;
  std::optional<bool> is_directory = {};
  std::optional<Timestamp> modified_after = {};
  std::optional<Timestamp> modified_before = {};
  std::uint64_t min_bytes = 0;  ///< Of files; a folder has none.
  std::uint64_t max_bytes = UINT64_MAX;

  bool match(const storage::Entry& entry) const;
};

/// A folder that is searched with all below it.
struct SearchTop {
  storage::Backend* backend = nullptr;
  Path path;   ///< In the backend.
  Path shown;  ///< As who asks sees it.
  bool read_only = false;
  bool is_remote = false;  ///< It is asked less at once, and given up where it has no end.
  /// True for names directly in it that lead elsewhere. May be null.
  bool (*is_reserved)(std::string_view name) = nullptr;
  std::size_t use = 0;  ///< By whose right: an index of the caller's.
};

/// An item that was found.
struct FoundItem {
  storage::Entry entry;
  Path folder;  ///< As who asks sees it.
  bool read_only = false;
};

/// How far the search of one place has come. Not safe for concurrent calls.
class SearchPlace {
 public:
  explicit SearchPlace(SearchTop top);

  struct Folder {
    Path below;  ///< From the top.
  };
  const SearchTop& top() const { return top_; }
  /// The next folder to look into, if one may be looked into now.
  std::optional<Folder> take();
  /// What it holds: folders below it come next. False where the place is given up.
  bool took(std::size_t items, std::size_t name_bytes, std::vector<Folder> folders);
  void left() { --running_; }
  void give_up() { waiting_.clear(); }
  bool is_done() const { return waiting_.empty() && running_ == 0; }

 private:
  SearchTop top_;
  storage::WalkBudget budget_;
  std::vector<Folder> waiting_;
  std::size_t running_ = 0;
};

}  // namespace coffer::core
