#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "core/search/name_pattern.h"
#include "storage/backend.h"
#include "storage/entry.h"
#include "storage/walk_limits.h"

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

/// How a search ended.
struct SearchSummary {
  std::size_t found = 0;
  std::size_t unread_folders = 0;  ///< Or whole places, where they have no end.
  bool was_limited = false;        ///< There may be more than as many as were asked for.
};

struct SearchOrder {
  SearchTerms terms;
  std::vector<SearchTop> tops = {};
  std::size_t limit = 0;
  std::size_t unread_folders = 0;  ///< From the begin.
  /// Asked before each folder, with its top's `use`; its failure ends the search.
  std::function<Task<Result<void>>(std::size_t use)> may_go_on = {};
  std::shared_ptr<void> keeps = {};  ///< Keeps the backends.
  /// Starts work without waiting for it.
  std::function<void(Task<void>)> spawn = {};
};

/// Looks through folders, several at once, while what it finds is taken away; not further where
/// the caller does not. Links to folders are found but not followed. One coroutine at a time asks
/// it.
class Search : public std::enable_shared_from_this<Search> {
 public:
  /// The pool outlives it, and all that was spawned.
  Search(SearchOrder order, Pool& pool);

  /// What was found since the last call; empty where it takes a while, nothing at the end.
  Task<Result<std::optional<std::vector<FoundItem>>>> next();
  /// Ends it: no folder is begun any more.
  void stop();
  /// At the end.
  SearchSummary summary();

 private:
  struct Listing;
  struct Visit;
  void pump();
  static Task<void> visit(std::shared_ptr<Search> self, SearchPlace& place,
                          SearchPlace::Folder folder);
  Task<Result<void>> look_into(SearchPlace& place, const SearchPlace::Folder& folder);
  void sift(Listing& listing) const;
  void keep(SearchPlace& place, Listing listing);
  void finish(SearchPlace& place, Result<void> result);
  Task<void> wait();
  void wake();
  bool has_news() const;
  bool is_done() const;

  const SearchTerms terms_;
  const std::size_t limit_;
  const std::function<Task<Result<void>>(std::size_t)> may_go_on_;
  const std::shared_ptr<void> keeps_;
  const std::function<void(Task<void>)> spawn_;
  Pool& pool_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SearchPlace>> places_;
  std::vector<FoundItem> found_;
  SearchSummary summary_;
  std::optional<Error> error_;
  bool stopped_ = false;
  std::shared_ptr<asio::steady_timer> waiter_;
};

}  // namespace coffer::core
