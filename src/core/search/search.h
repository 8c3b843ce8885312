#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "async/memory_room.h"
#include "async/pool.h"
#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "core/search/name_pattern.h"
#include "storage/backend.h"
#include "storage/entry.h"
#include "storage/listed.h"
#include "storage/remote.h"
#include "storage/tree_search.h"

namespace coffer::core {

/// The conditions of a search. An item is found if it fulfils all of them.
struct SearchTerms {
  NamePattern name;
  std::optional<bool> is_directory = {};
  std::optional<Timestamp> modified_after = {};   ///< Inclusive.
  std::optional<Timestamp> modified_before = {};  ///< Exclusive.
  std::uint64_t min_bytes = 0;                    ///< Folders count as 0 bytes.
  std::uint64_t max_bytes = UINT64_MAX;

  bool match(const storage::Entry& entry) const;
  /// Returns what a backend can be asked for; all matching items fulfil it, and maybe others.
  storage::TreeQuery query() const;
};

/// A folder to search, with everything below it.
struct SearchTop {
  std::shared_ptr<storage::Backend> backend;
  Path path;   ///< The folder's path in the backend.
  Path shown;  ///< The folder's path from the principal's root.
  bool read_only = false;
  /// True on a remote server: the search lists fewer folders at once, and gives up at fewer items.
  bool is_remote = false;
  /// Returns true if a name is reserved for mounts. The search leaves out items with such names
  /// directly in this folder. May be null.
  bool (*is_reserved)(std::string_view name) = nullptr;
  std::size_t use = 0;  ///< Tells SearchOrder::may_go_on which SearchTop it is called for.
};

struct FoundItem {
  storage::Entry entry;
  Path folder;  ///< The parent folder, from the principal's root.
  bool read_only = false;
};

/// The progress of a search below one SearchTop. Lists folder after folder, or, where the backend
/// has an index, asks that: then the top stands for all below it, and is taken once for each page.
/// Not safe for concurrent calls.
class SearchPlace {
 public:
  explicit SearchPlace(SearchTop top);

  struct Folder {
    Path below;  ///< The folder's path, relative to the path of the SearchTop.
  };
  const SearchTop& top() const { return top_; }
  /// Returns the next folder to list; nullopt if none waits, or as many as allowed are being
  /// listed. The caller must call `left` when the listing has ended, also with a failure.
  std::optional<Folder> take();
  /// Records a listed folder: the number of its items, the total length of their names, and its
  /// subfolders, which `take` will return. Returns false if the search below this SearchTop exceeds
  /// its limits; then `take` returns no further folder.
  bool took(std::size_t items, std::size_t name_bytes, std::vector<Folder> folders);
  void left() { --running_; }
  /// Makes `take` return no further folder.
  void give_up() {
    waiting_.clear();
    waiting_bytes_ = 0;
  }
  bool is_done() const { return waiting_.empty() && running_ == 0; }
  /// Returns the bytes of the folders that wait to be listed, or of a page of the index.
  std::size_t waiting_bytes() const { return waiting_bytes_ + (index_ ? kPageBytes : 0); }

  /// Returns the backend's index; null if folders are to be listed.
  storage::TreeSearch* index() const { return index_.get(); }
  /// Returns true for the first call, when `use` may be called.
  bool begins() { return !std::exchange(has_begun_, true); }
  void use(std::unique_ptr<storage::TreeSearch> index) { index_ = std::move(index); }

 private:
  static constexpr std::size_t kPageBytes = 512 * 1024;

  SearchTop top_;
  storage::WalkBudget budget_;
  std::unique_ptr<storage::TreeSearch> index_;
  bool has_begun_ = false;
  static std::size_t bytes_of(const Folder& folder);

  std::vector<Folder> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::size_t running_ = 0;
};

struct SearchSummary {
  std::size_t found = 0;
  /// The number of folders that could not be listed, plus that of SearchTops that exceeded limits.
  std::size_t unread_folders = 0;
  bool was_limited = false;  ///< True if more than SearchOrder::limit items match.
};

struct SearchOrder {
  SearchTerms terms;
  std::vector<SearchTop> tops = {};
  std::size_t limit = 0;           ///< The maximal number of items to find.
  std::size_t unread_folders = 0;  ///< The number of mounts that could not be opened.
  /// Grows with the folders to list and the found items that wait to be fetched.
  MemoryRoom::Hold hold = {};
  std::shared_ptr<void> slot = nullptr;  ///< Kept as long as the search.
  storage::ListFolder list = storage::list_without_limit();
  /// Called before each folder is listed, with SearchTop::use. A failure ends the search.
  std::function<Task<Result<void>>(std::size_t use)> may_go_on = {};
  /// Starts a coroutine without waiting for its end.
  std::function<void(Task<void>)> spawn = {};
};

/// Searches folders, several at once. Pauses while found items of 64 KiB wait to be fetched with
/// `next`. Symbolic links to folders can be found, but are not followed. Only one coroutine may use
/// a Search at a time.
class Search : public std::enable_shared_from_this<Search> {
 public:
  /// The pool must outlive the Search and all coroutines that the Search spawns.
  Search(SearchOrder order, Pool& pool);

  /// Returns the next found items, unordered; an empty list if none is found within a moment;
  /// nullopt after the last item. Fails if SearchOrder::may_go_on has failed, or if there is no
  /// memory for what it has found.
  Task<Result<std::optional<std::vector<FoundItem>>>> next();
  /// Stops the search: no further folder is listed.
  void stop();
  /// Returns the totals of the search. Call it after `next` has returned nullopt.
  SearchSummary summary();

 private:
  struct Listing;
  struct Visit;
  void pump();
  static Task<void> visit(std::shared_ptr<Search> self, SearchPlace& place,
                          SearchPlace::Folder folder);
  Result<void> charge();
  std::vector<FoundItem> take_found();
  Task<Result<void>> look_into(SearchPlace& place, const SearchPlace::Folder& folder);
  Task<Result<void>> list_folder(SearchPlace& place, const SearchPlace::Folder& folder);
  Task<Result<void>> look_up(SearchPlace& place);
  bool is_wanted(const SearchTop& top, const Path& folder, const storage::Entry& entry) const;
  Result<void> note_unread(const Error& error);
  Result<void> match_all(Listing& listing) const;
  Result<void> keep(SearchPlace& place, Listing listing);
  void finish(SearchPlace& place, Result<void> result);
  Task<void> wait();
  void wake();
  bool has_news() const;
  bool is_over();
  bool is_done() const;

  const SearchTerms terms_;
  const std::size_t limit_;
  const std::function<Task<Result<void>>(std::size_t)> may_go_on_;
  const std::function<void(Task<void>)> spawn_;
  const storage::ListFolder list_;
  Pool& pool_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SearchPlace>> places_;
  std::vector<FoundItem> found_;
  std::size_t found_bytes_ = 0;
  MemoryRoom::Hold hold_;
  const std::shared_ptr<void> slot_;
  const std::uint64_t fixed_bytes_;  ///< Of `hold_`, without any found item.
  SearchSummary summary_;
  std::optional<Error> error_;
  bool stopped_ = false;
  std::shared_ptr<asio::steady_timer> waiter_;
};

}  // namespace coffer::core
