#include "core/search/search.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>

#include "storage/partial_name.h"

namespace coffer::core {
namespace {

/// Folders listed at once.
constexpr std::size_t kLocalWidth = 4;
constexpr std::size_t kRemoteWidth = 2;
/// The limits for this machine's disks, higher than for servers.
constexpr storage::WalkLimits kLocalLimits{5'000'000, 100'000'000, std::size_t{16} << 30, 1'000};

storage::WalkLimits limits_of(const SearchTop& top) {
  return top.is_remote ? storage::WalkLimits() : kLocalLimits;
}

/// The most items per call.
constexpr std::size_t kMostAtOnce = 500;
/// Of items that wait to be fetched: beyond it no further folder begins, and no call returns more.
constexpr std::size_t kMostHeldBytes = 64 * 1024;
constexpr std::chrono::milliseconds kFlushInterval{250};

std::size_t bytes_of(const FoundItem& item) {
  return sizeof item + item.entry.name.capacity() + item.folder.str().capacity();
}

}  // namespace

bool SearchTerms::match(const storage::Entry& entry) const {
  if (is_directory && entry.is_directory != *is_directory) return false;
  if (modified_after && entry.modified_at < *modified_after) return false;
  if (modified_before && entry.modified_at >= *modified_before) return false;
  const std::uint64_t bytes = entry.is_directory ? 0 : entry.size_bytes;
  return bytes >= min_bytes && bytes <= max_bytes && name.matches(entry.name);
}

storage::TreeQuery SearchTerms::query() const {
  return {.contains = std::string(name.part()),
          .is_directory = is_directory,
          .modified_after = modified_after,
          .modified_before = modified_before,
          .min_bytes = min_bytes,
          .max_bytes = max_bytes};
}

SearchPlace::SearchPlace(SearchTop top) : top_(std::move(top)), budget_(limits_of(top_)) {
  waiting_.push_back({Path()});
}

std::size_t SearchPlace::bytes_of(const Folder& folder) {
  return sizeof folder + folder.below.str().capacity();
}

std::optional<SearchPlace::Folder> SearchPlace::take() {
  const std::size_t width = top_.is_remote ? kRemoteWidth : kLocalWidth;
  if (waiting_.empty() || running_ >= width) return std::nullopt;
  Folder folder = std::move(waiting_.back());
  waiting_.pop_back();
  waiting_bytes_ -= bytes_of(folder);
  ++running_;
  return folder;
}

bool SearchPlace::took(std::size_t items, std::size_t name_bytes, std::vector<Folder> folders) {
  const std::size_t depth = folders.empty() ? 0 : folders.front().below.depth();
  if (!budget_.spend(items, name_bytes) || !budget_.enter(depth)) {
    give_up();
    return false;
  }
  for (Folder& folder : folders) {
    waiting_bytes_ += bytes_of(folder);
    waiting_.push_back(std::move(folder));
  }
  return true;
}

/// A folder's entries, its matches and its subfolders.
struct Search::Listing {
  const SearchTop& top;
  const Path& below;
  storage::Listed listed;
  std::vector<FoundItem> found = {};
  std::vector<SearchPlace::Folder> folders = {};
  std::size_t items = 0;
  std::size_t name_bytes = 0;
  std::size_t matched_bytes = 0;  ///< What `found` and `folders` take.
};

/// A folder that is being listed. Reports the end of its coroutine, also after an exception.
struct Search::Visit {
  std::shared_ptr<Search> search;
  SearchPlace& place;
  Result<void> result = fail(ErrorCode::failed, "The search broke.");

  ~Visit() { search->finish(place, std::move(result)); }
};

Search::Search(SearchOrder order, Pool& pool)
    : terms_(std::move(order.terms)),
      limit_(order.limit),
      may_go_on_(std::move(order.may_go_on)),
      spawn_(std::move(order.spawn)),
      list_(std::move(order.list)),
      pool_(pool),
      hold_(std::move(order.hold)),
      slot_(std::move(order.slot)),
      fixed_bytes_(hold_.bytes()) {
  summary_.unread_folders = order.unread_folders;
  for (SearchTop& top : order.tops) {
    places_.push_back(std::make_unique<SearchPlace>(std::move(top)));
  }
}

bool Search::is_done() const {
  return stopped_ || error_ ||
         std::ranges::all_of(places_, [](const auto& place) { return place->is_done(); });
}

bool Search::has_news() const {
  return !found_.empty() || is_done();
}

Task<Result<std::optional<std::vector<FoundItem>>>> Search::next() {
  pump();
  co_await wait();
  const std::lock_guard lock(mutex_);
  if (error_) co_return std::unexpected(*error_);
  if (found_.empty() && is_done()) co_return std::nullopt;
  auto items = take_found();
  CO_TRY_VOID(charge());
  co_return items;
}

/// Call it with the lock.
std::vector<FoundItem> Search::take_found() {
  std::vector<FoundItem> items;
  std::size_t bytes = 0;
  while (!found_.empty() && items.size() < kMostAtOnce && bytes < kMostHeldBytes) {
    bytes += bytes_of(found_.back());
    items.push_back(std::move(found_.back()));
    found_.pop_back();
  }
  if (found_.empty()) found_.shrink_to_fit();
  found_bytes_ -= bytes;
  return items;
}

/// Reserves memory for what waits now. Call it with the lock.
Result<void> Search::charge() {
  std::uint64_t bytes = fixed_bytes_ + found_bytes_;
  for (const auto& place : places_) bytes += place->waiting_bytes();
  if (bytes > hold_.bytes()) return hold_.grow(bytes - hold_.bytes());
  hold_.shrink_to(bytes);
  return {};
}

bool Search::is_over() {
  const std::lock_guard lock(mutex_);
  return stopped_ || error_;
}

void Search::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

SearchSummary Search::summary() {
  const std::lock_guard lock(mutex_);
  return summary_;
}

/// Begins to list further folders, up to the limits.
void Search::pump() {
  std::vector<std::pair<SearchPlace*, SearchPlace::Folder>> begun;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& place : places_) {
      while (!stopped_ && !error_ && found_bytes_ < kMostHeldBytes) {
        auto folder = place->take();
        if (!folder) break;
        begun.emplace_back(place.get(), *std::move(folder));
      }
    }
  }
  for (auto& [place, folder] : begun) {
    spawn_(visit(shared_from_this(), *place, std::move(folder)));
  }
}

Task<void> Search::visit(std::shared_ptr<Search> self, SearchPlace& place,
                         SearchPlace::Folder folder) {
  Visit visit{self, place};
  visit.result = co_await self->look_into(place, folder);
}

/// Fails if the right is lost; counts unreadable folders.
Task<Result<void>> Search::look_into(SearchPlace& place, const SearchPlace::Folder& folder) {
  const SearchTop& top = place.top();
  CO_TRY_VOID(co_await may_go_on_(top.use));
  if (place.begins()) {
    auto index = co_await top.backend->search(top.path, terms_.query());
    if (!index) co_return note_unread(index.error());
    place.use(*std::move(index));
  }
  if (place.index()) co_return co_await look_up(place);
  co_return co_await list_folder(place, folder);
}

/// Counts a folder that cannot be read.
Result<void> Search::note_unread(const Error& error) {
  const std::lock_guard lock(mutex_);
  // A folder that was removed meanwhile is not unread.
  if (error.code != ErrorCode::not_found) ++summary_.unread_folders;
  return {};
}

/// Takes the next page of the place's index.
Task<Result<void>> Search::look_up(SearchPlace& place) {
  const SearchTop& top = place.top();
  auto page = co_await place.index()->next();
  if (!page) {
    place.use(nullptr);
    co_return note_unread(page.error());
  }
  Listing listing{.top = top, .below = top.path, .listed = {}};
  listing.items = page->looked_at;
  for (auto& [folder, entry] : page->found) {
    if (!is_wanted(top, folder, entry)) continue;
    listing.found.push_back({std::move(entry), top.shown / folder, top.read_only});
  }
  if (!page->is_last) listing.folders.push_back({Path()});
  co_return keep(place, std::move(listing));
}

/// Returns true if the item is to be found. `folder` is what it is in, below the top.
bool Search::is_wanted(const SearchTop& top, const Path& folder,
                       const storage::Entry& entry) const {
  const std::string_view first = folder.is_root() ? std::string_view(entry.name) : folder.front();
  if (top.is_reserved && top.is_reserved(first)) return false;
  return !storage::is_hidden_name(entry.name) && terms_.match(entry);
}

Task<Result<void>> Search::list_folder(SearchPlace& place, const SearchPlace::Folder& folder) {
  const SearchTop& top = place.top();
  const Path path = top.path / folder.below;
  auto is_wanted = [this] { return !is_over(); };
  auto listed = co_await list_(top.backend, path, std::move(is_wanted));
  if (!listed && storage::is_short_of_memory(listed.error()))
    co_return failure_of(std::move(listed));
  if (!listed) co_return note_unread(listed.error());
  Listing listing{top, folder.below, *std::move(listed)};
  CO_TRY_VOID(listing.listed.settle());
  auto work = [&] { return match_all(listing); };
  CO_TRY_VOID(co_await pool_.run(std::move(work)));
  // What was matched is counted here until the search counts it.
  auto hold = std::move(listing.listed.hold);
  listing.listed = {};
  hold.shrink_to(listing.matched_bytes);
  co_return keep(place, std::move(listing));
}

/// Each match and each folder has a path, which may be far longer than its name: what they take is
/// reserved as they come.
Result<void> Search::match_all(Listing& listing) const {
  const SearchTop& top = listing.top;
  const Path shown = top.shown / listing.below;
  listing.items = listing.listed.entries.size();
  std::size_t unreserved = 0;
  for (storage::Entry& entry : listing.listed.entries) {
    listing.name_bytes += entry.name.size();
    if (storage::is_hidden_name(entry.name)) continue;
    const bool is_at_top = listing.below.is_root();
    if (is_at_top && top.is_reserved && top.is_reserved(entry.name)) continue;
    const std::size_t before = listing.matched_bytes;
    if (entry.is_directory && !entry.is_link) {
      const auto name = Path::parse(entry.name);
      if (name && name->depth() == 1) listing.folders.push_back({listing.below / *name});
      listing.matched_bytes += sizeof(Path) + shown.str().size() + entry.name.size();
    }
    if (terms_.match(entry)) {
      listing.found.push_back({std::move(entry), shown, top.read_only});
      listing.matched_bytes += bytes_of(listing.found.back());
    }
    unreserved += listing.matched_bytes - before;
    if (unreserved > kMostHeldBytes) {
      TRY_VOID(listing.listed.hold.grow(std::exchange(unreserved, 0)));
    }
    // One more than is wanted tells that there are more.
    if (listing.found.size() > limit_) break;
  }
  listing.listed.entries = {};
  return {};
}

/// Fails if the found items do not fit into the memory of the search.
Result<void> Search::keep(SearchPlace& place, Listing listing) {
  const std::lock_guard lock(mutex_);
  for (FoundItem& item : listing.found) {
    if (summary_.found == limit_) {
      summary_.was_limited = stopped_ = true;
      return charge();
    }
    ++summary_.found;
    found_bytes_ += bytes_of(item);
    found_.push_back(std::move(item));
  }
  const bool goes_on = place.took(listing.items, listing.name_bytes, std::move(listing.folders));
  if (!goes_on) ++summary_.unread_folders;
  return charge();
}

void Search::finish(SearchPlace& place, Result<void> result) {
  {
    const std::lock_guard lock(mutex_);
    place.left();
    if (!result && !error_) error_ = std::move(result).error();
    if (has_news()) wake();
  }
  pump();
}

Task<void> Search::wait() {
  const auto executor = co_await asio::this_coro::executor;
  auto timer = std::make_shared<asio::steady_timer>(executor, kFlushInterval);
  {
    const std::lock_guard lock(mutex_);
    if (has_news()) co_return;
    waiter_ = timer;
  }
  boost::system::error_code woken;
  co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, woken));
  const std::lock_guard lock(mutex_);
  waiter_.reset();
}

/// Call it with the lock, so that the waiter still exists.
void Search::wake() {
  if (!waiter_) return;
  auto timer = std::exchange(waiter_, nullptr);
  const auto executor = timer->get_executor();
  asio::post(executor, [timer = std::move(timer)] { timer->cancel(); });
}

}  // namespace coffer::core
