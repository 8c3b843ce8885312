#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "core/search/search_place.h"

namespace coffer::core {

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
