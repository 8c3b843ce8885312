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
#include "storage/remote.h"

namespace coffer::core {

/// The conditions on items.
struct SearchTerms {
  NamePattern name;
  std::optional<bool> is_directory = {};
  std::optional<Timestamp> modified_after = {};
  std::optional<Timestamp> modified_before = {};
  std::uint64_t min_bytes = 0;  ///< Of files; a folder has 0 bytes.
  std::uint64_t max_bytes = UINT64_MAX;

  bool match(const storage::Entry& entry) const;
};

/// A folder that is searched with everything below it.
struct SearchTop {
  std::shared_ptr<storage::Backend> backend;
  Path path;   ///< In the backend.
  Path shown;  ///< As the principal sees it.
  bool read_only = false;
  bool is_remote = false;  ///< Fewer folders are listed at once, and the size is limited.
  /// True for names directly in it that are reserved for mounts. May be null.
  bool (*is_reserved)(std::string_view name) = nullptr;
  std::size_t use = 0;  ///< The argument for SearchOrder::may_go_on.
};

/// A found item.
struct FoundItem {
  storage::Entry entry;
  Path folder;  ///< As the principal sees it.
  bool read_only = false;
};

/// The progress of the search in one place. Not safe for concurrent calls.
class SearchPlace {
 public:
  explicit SearchPlace(SearchTop top);

  struct Folder {
    Path below;  ///< From the top.
  };
  const SearchTop& top() const { return top_; }
  /// Returns the next folder to list, if one may be listed now.
  std::optional<Folder> take();
  /// Reports a listed folder; the folders below it come next. False if the place exceeds its limits
  /// and is not searched further.
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

/// The result of a search.
struct SearchSummary {
  std::size_t found = 0;
  std::size_t unread_folders = 0;  ///< Or whole places that exceed their limits.
  bool was_limited = false;        ///< The limit was reached; there may be more.
};

struct SearchOrder {
  SearchTerms terms;
  std::vector<SearchTop> tops = {};
  std::size_t limit = 0;
  std::size_t unread_folders = 0;  ///< Before the search begins.
  /// Called before each folder with its top's `use`; a failure ends the search.
  std::function<Task<Result<void>>(std::size_t use)> may_go_on = {};
  /// Starts a task without waiting for it.
  std::function<void(Task<void>)> spawn = {};
};

/// Searches folders, several at once, and pauses while the caller does not fetch the items. Finds
/// links to folders but does not follow them. For one coroutine at a time.
class Search : public std::enable_shared_from_this<Search> {
 public:
  /// The pool must outlive it and all spawned tasks.
  Search(SearchOrder order, Pool& pool);

  /// Returns the items found since the last call; empty if it takes a while, nullopt at the end.
  Task<Result<std::optional<std::vector<FoundItem>>>> next();
  /// Stops the search: no further folder is listed.
  void stop();
  /// Call it at the end.
  SearchSummary summary();

 private:
  struct Listing;
  struct Visit;
  void pump();
  static Task<void> visit(std::shared_ptr<Search> self, SearchPlace& place,
                          SearchPlace::Folder folder);
  Task<Result<void>> list_folder(SearchPlace& place, const SearchPlace::Folder& folder);
  void match_all(Listing& listing) const;
  void keep(SearchPlace& place, Listing listing);
  void finish(SearchPlace& place, Result<void> result);
  Task<void> wait();
  void wake();
  bool has_news() const;
  bool is_done() const;

  const SearchTerms terms_;
  const std::size_t limit_;
  const std::function<Task<Result<void>>(std::size_t)> may_go_on_;
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
