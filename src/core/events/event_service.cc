#include "core/events/event_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/cleared_flag.h"
#include "base/error.h"
#include "base/path.h"
#include "base/random.h"
#include "catalog/catalog.h"
#include "core/events/event_feed.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "storage/folder_watch.h"

namespace coffer::core {
namespace {

std::vector<std::string> texts_of(const std::vector<Path>& paths) {
  std::vector<std::string> texts;
  for (const Path& path : paths) texts.push_back(path.str());
  return texts;
}

bool is_gone(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::forbidden;
}

/// Compares the fields that clients show.
bool shows_alike(const catalog::Account& one, const catalog::Account& other) {
  return one.display_name == other.display_name && one.role == other.role &&
         one.quota_bytes == other.quota_bytes && one.preferences == other.preferences;
}

std::string describe(std::vector<Mount> mounts) {
  std::ranges::sort(mounts, {}, &Mount::prefix);
  std::string text;
  for (const Mount& mount : mounts) {
    text += fmt::format("{}\n{}\n{}\n{}\n{}\n", mount.prefix, mount.name, mount.target,
                        mount.read_only, mount.only_adds());
  }
  return text;
}

std::string describe(std::vector<catalog::PersonShare> given) {
  std::ranges::sort(given, {}, &catalog::PersonShare::id);
  std::string text;
  for (const catalog::PersonShare& share : given) {
    text += fmt::format("{}\n{}\n{}\n", share.id.value, share.item.str(), word_of(share.access));
  }
  return text;
}

bool has_same_rights(const Mount& one, const Mount& other) {
  return one.read_only == other.read_only && one.only_adds() == other.only_adds();
}

using Clock = std::chrono::steady_clock;

/// The number of `check_rights` calls between checks of the shares' folders.
constexpr unsigned kChecksPerShareRefresh = 15;

/// A feed's id and the number of the client's last event.
struct LastId {
  std::string_view feed;
  std::uint64_t number = 0;
};

std::optional<LastId> parse_last_id(std::string_view id) {
  const auto end = id.rfind('-');
  if (end == std::string_view::npos) return std::nullopt;
  LastId place{id.substr(0, end)};
  const char* const last = id.data() + id.size();
  const auto read = std::from_chars(id.data() + end + 1, last, place.number);
  if (read.ec != std::errc() || read.ptr != last) return std::nullopt;
  return place;
}

bool is_same_caller(const Principal& one, const Principal& other) {
  if (one.account->id != other.account->id || !one.credential || !other.credential) return false;
  return one.credential->kind == other.credential->kind &&
         one.credential->hash == other.credential->hash && one.within() == other.within();
}

std::unexpected<Error> too_many(ErrorCode code, std::string message) {
  constexpr std::chrono::seconds kRetryAfter{5};
  return std::unexpected(Error{code, std::move(message), kRetryAfter});
}

std::size_t count_readers(auto first, auto last) {
  const auto has_reader = [](const auto& one) { return one.second->feed->has_reader(); };
  return static_cast<std::size_t>(std::count_if(first, last, has_reader));
}

}  // namespace

/// One client's subscription and its watches. For one coroutine at a time, except const members.
class EventSubscription {
 public:
  struct Services {
    catalog::Catalog& catalog;
    const Namespace ns;
  };
  EventSubscription(Services services, Principal the_principal, std::vector<Path> the_folders,
                    std::string id);

  const Principal principal;
  const std::vector<Path> folders;
  const std::shared_ptr<EventFeed> feed;
  /// The catalog's mark at the last check of the rights; nullopt before the first.
  std::optional<catalog::RightsMark> mark;
  // The refreshes that are wanted, and whether one is under way; for the service's background.
  bool wants_all = false;
  bool wants_mounts = false;
  bool is_refreshing = false;
  int calls_of_watched = 0;  ///< Of EventService::watched, which is not called concurrently.

  /// Watches the folders; fails if a location does not exist or the principal may not read it.
  Task<Result<void>> begin();
  /// Reports changes of rights and locations, watches new mounts and unwatches removed ones.
  Task<void> refresh_all();
  /// Watches folders anew whose mounts, or own files, have another backend now.
  Task<void> refresh_mounts();
  /// True if one of the folders is in a share.
  bool has_share() const;
  /// True if the principal's key has expired.
  bool has_expired() const;

 private:
  struct Watched {
    ResolvedPath folder;
    std::unique_ptr<storage::FolderWatch> watch;
  };
  Task<Result<Watched>> watch(std::size_t index);
  storage::FolderListener listener(std::size_t index) const;
  Task<void> refresh_mount(std::size_t index);
  Task<void> refresh_own(std::size_t index);
  Task<void> watch_again(std::size_t index);
  Task<void> refresh_account();
  Task<void> refresh_locations();
  Task<void> refresh_given();
  void tell_of_shares(const std::vector<Mount>& mounts);

  const Services services_;
  std::vector<Watched> watched_;
  catalog::Account account_;  ///< As the client knows it.
  std::optional<std::string> locations_;
  std::optional<std::string> given_;
  std::optional<std::set<std::string>> received_;  ///< The locations that others share.
};

EventSubscription::EventSubscription(Services services, Principal the_principal,
                                     std::vector<Path> the_folders, std::string id)
    : principal(std::move(the_principal)),
      folders(std::move(the_folders)),
      feed(std::make_shared<EventFeed>(std::move(id), texts_of(folders))),
      services_(services),
      watched_(folders.size()),
      account_(*principal.account) {}

// A notice after the subscription's end has no effect.
storage::FolderListener EventSubscription::listener(std::size_t index) const {
  return [known = std::weak_ptr(feed), index](storage::FolderNotice notice) {
    const auto feed = known.lock();
    if (!feed) return;
    if (notice == storage::FolderNotice::changed) feed->folder_changed(index);
    if (notice == storage::FolderNotice::lost) feed->folder_lost(index);
    if (notice == storage::FolderNotice::missed) feed->missed();
  };
}

Task<Result<EventSubscription::Watched>> EventSubscription::watch(std::size_t index) {
  Watched one;
  CO_TRY(one.folder, co_await services_.ns.resolve(principal, folders[index]));
  one.watch = co_await one.folder.backend->watch(one.folder.path, listener(index));
  co_return one;
}

Task<Result<void>> EventSubscription::begin() {
  for (std::size_t index = 0; index < watched_.size(); ++index) {
    CO_TRY(auto one, co_await watch(index));
    watched_[index] = std::move(one);
  }
  co_await refresh_locations();
  co_await refresh_given();
  co_return Result<void>{};
}

Task<void> EventSubscription::refresh_all() {
  if (principal.scope && is_mount_name(principal.scope->front())) {
    // A key that is limited to a folder of a mount ends with the mount.
    const AccountId account = principal.account->id;
    const auto mount = co_await services_.ns.mounts().find(account, principal.scope->front());
    if (!mount && is_gone(mount.error())) feed->end();
  }
  co_await refresh_account();
  co_await refresh_locations();
  co_await refresh_given();
  co_await refresh_mounts();
}

Task<void> EventSubscription::refresh_mounts() {
  for (std::size_t index = 0; index < watched_.size(); ++index) {
    if (watched_[index].folder.mount) {
      co_await refresh_mount(index);
    } else {
      co_await refresh_own(index);
    }
  }
}

/// Own files may have been moved to another place.
Task<void> EventSubscription::refresh_own(std::size_t index) {
  const auto folder = co_await services_.ns.resolve(principal, folders[index]);
  if (!folder || folder->whole_backend == watched_[index].folder.whole_backend) co_return;
  co_await watch_again(index);
}

Task<void> EventSubscription::refresh_mount(std::size_t index) {
  Watched& one = watched_[index];
  const auto opened =
      co_await services_.ns.mounts().open(principal.account->id, one.folder.mount->prefix);
  if (!opened) {
    // An unavailable mount is checked again with the next change.
    if (!is_gone(opened.error()) || !one.watch) co_return;
    one.watch = nullptr;
    feed->folder_changed(index);
    co_return;
  }
  const bool is_same = one.folder.whole_backend == opened->whole_backend() &&
                       one.folder.mount->leads_to == opened->mount.leads_to;
  if (!one.watch || !is_same) co_return co_await watch_again(index);
  // Entries tell whether they may be changed.
  if (!has_same_rights(*one.folder.mount, opened->mount)) feed->folder_changed(index);
  one.folder.mount = opened->mount;
}

Task<void> EventSubscription::watch_again(std::size_t index) {
  auto again = co_await watch(index);
  if (!again) co_return;
  // The old watch must end before its backend is released.
  watched_[index].watch = nullptr;
  watched_[index] = *std::move(again);
  feed->folder_changed(index);
}

Task<void> EventSubscription::refresh_account() {
  auto now = co_await services_.catalog.accounts().get(principal.account->id);
  if (!now || shows_alike(*now, account_)) co_return;
  account_ = *std::move(now);
  if (!principal.scope) feed->account_changed();
}

/// Lists show what the account shares.
Task<void> EventSubscription::refresh_given() {
  if (principal.scope) co_return;
  const auto given = co_await services_.ns.mounts().given_by(principal.account->id);
  if (!given) co_return;
  std::string now = describe(**given);
  const auto before = std::exchange(given_, std::move(now));
  if (before && *before != *given_) feed->account_changed();
}

/// Locations are listed in the root.
Task<void> EventSubscription::refresh_locations() {
  if (principal.scope) co_return;
  auto mounts = co_await services_.ns.mounts().of(principal.account->id);
  if (!mounts) co_return;
  tell_of_shares(*mounts);
  std::string now = describe(*std::move(mounts));
  const auto before = std::exchange(locations_, std::move(now));
  if (!before || *before == *locations_) co_return;
  feed->account_changed();
  const auto root = std::ranges::find_if(folders, &Path::is_root);
  if (root != folders.end()) {
    feed->folder_changed(static_cast<std::size_t>(root - folders.begin()));
  }
}

/// The first look tells of nothing.
void EventSubscription::tell_of_shares(const std::vector<Mount>& mounts) {
  std::set<std::string> now;
  for (const Mount& mount : mounts) {
    if (mount.given) now.insert(mount.prefix + '/');
  }
  const auto before = std::exchange(received_, now);
  if (!before) return;
  for (const std::string& location : now) {
    if (!before->contains(location)) feed->share_changed(location, true);
  }
  for (const std::string& location : *before) {
    if (!now.contains(location)) feed->share_changed(location, false);
  }
}

bool EventSubscription::has_share() const {
  return std::ranges::any_of(watched_, [](const Watched& one) {
    return one.folder.mount && one.folder.mount->kind == LocationKind::shared;
  });
}

bool EventSubscription::has_expired() const {
  return principal.expires_at && *principal.expires_at <= now();
}

EventStream::EventStream(EventService& service, std::shared_ptr<EventSubscription> subscription,
                         EventFeed::Reader reader)
    : service_(service),
      subscription_(std::move(subscription)),
      reader_(reader),
      number_(reader.number) {}

EventStream::~EventStream() {
  end();
}

void EventStream::end() {
  subscription_->feed->detach(reader_.id);
}

std::string EventStream::id_of(std::uint64_t number) const {
  return fmt::format("{}-{}", subscription_->feed->id(), number);
}

Task<std::optional<std::vector<Event>>> EventStream::next(EventFeed::Instant limit) {
  for (;;) {
    auto events = co_await subscription_->feed->next(reader_.id, limit);
    const bool has_any = events && !events->empty();
    if (has_any && subscription_->principal.scope) co_await keep_visible(*events);
    // An early answer would reveal events that are not for this reader.
    if (has_any && events->empty()) continue;
    if (has_any) number_ = events->back().number;
    co_return events;
  }
}

Task<void> EventStream::keep_visible(std::vector<Event>& events) {
  std::vector<Event> seen;
  for (Event& event : events) {
    if (co_await is_visible(event)) seen.push_back(std::move(event));
  }
  events = std::move(seen);
}

/// A key that is limited to a folder knows of tasks within it alone.
Task<bool> EventStream::is_visible(const Event& event) {
  const bool is_of_account = event.kind == Event::Kind::account ||
                             event.kind == Event::Kind::shared ||
                             event.kind == Event::Kind::unshared;
  if (is_of_account) co_return false;
  if (event.kind != Event::Kind::task || visible_tasks_.contains(event.subject)) co_return true;
  TaskId id{event.subject};
  const auto found =
      co_await service_.services_.tasks.find(subscription_->principal, std::move(id));
  if (!found) co_return false;
  visible_tasks_.insert(event.subject);
  co_return true;
}

EventService::EventService(Services services, std::size_t most_streams)
    : services_(services),
      most_streams_(most_streams),
      run_(random_hex(4)),
      access_recheck_(services.catalog, services.mounts) {
  services_.catalog.ledger().on_used([this](AccountId account) { used_changed(account); });
}

EventService::~EventService() {
  services_.catalog.ledger().on_used({});
}

Task<Result<std::unique_ptr<EventStream>>> EventService::open(const Principal& principal,
                                                              std::vector<Path> folders,
                                                              std::string last_id) {
  if (folders.size() > kMostFolders) {
    co_return fail(ErrorCode::invalid,
                   fmt::format("A stream can watch {} folders at most.", kMostFolders));
  }
  std::ranges::sort(folders);
  const auto repeated = std::ranges::unique(folders);
  folders.erase(repeated.begin(), repeated.end());
  if (auto known = resume(principal, folders, last_id)) co_return known;
  auto subscription = std::make_shared<EventSubscription>(
      EventSubscription::Services{services_.catalog, Namespace(services_.homes, services_.mounts)},
      principal, std::move(folders), fmt::format("{}-{}", run_, random_hex(8)));
  CO_TRY_VOID(co_await subscription->begin());
  if (!last_id.empty()) subscription->feed->missed();
  const EventFeed::Reader reader = subscription->feed->attach({});
  CO_TRY_VOID(add(subscription));
  co_return std::make_unique<EventStream>(*this, std::move(subscription), reader);
}

/// Returns null if no subscription matches the client.
std::unique_ptr<EventStream> EventService::resume(const Principal& principal,
                                                  const std::vector<Path>& folders,
                                                  std::string_view last_id) {
  const auto place = parse_last_id(last_id);
  if (!place) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto [first, last] = subscriptions_.equal_range(principal.account->id);
  for (auto known = first; known != last; ++known) {
    const Subscription& one = known->second;
    if (one->feed->id() != place->feed) continue;
    if (!is_same_caller(one->principal, principal) || one->folders != folders) return nullptr;
    return std::make_unique<EventStream>(*this, one, one->feed->attach(place->number));
  }
  return nullptr;
}

/// Replaces the oldest subscription without a reader if the account has too many.
Result<void> EventService::add(const Subscription& subscription) {
  const AccountId account = subscription->principal.account->id;
  Subscription dropped;  // Ends when the mutex is free again.
  const std::lock_guard lock(mutex_);
  if (count_readers(subscriptions_.begin(), subscriptions_.end()) >= most_streams_) {
    return too_many(ErrorCode::overloaded, "The server has too many streams of events.");
  }
  const auto [first, last] = subscriptions_.equal_range(account);
  if (static_cast<std::size_t>(std::distance(first, last)) >= kMostStreams) {
    const auto oldest = std::min_element(first, last, [](const auto& one, const auto& other) {
      return std::pair(one.second->feed->has_reader(), one.second->feed->left_at()) <
             std::pair(other.second->feed->has_reader(), other.second->feed->left_at());
    });
    if (oldest->second->feed->has_reader()) {
      return too_many(ErrorCode::rate_limited,
                      fmt::format("The account has {} streams of events already.", kMostStreams));
    }
    dropped = oldest->second;
    subscriptions_.erase(oldest);
  }
  subscriptions_.emplace(account, subscription);
  return {};
}

template <class Tell>
void EventService::tell(AccountId account, Tell change) {
  const std::lock_guard lock(mutex_);
  const auto [first, last] = subscriptions_.equal_range(account);
  for (auto known = first; known != last; ++known) change(*known->second);
}

void EventService::task_changed(AccountId account, const TaskId& task) {
  tell(account, [&](const EventSubscription& one) { one.feed->task_changed(task.value); });
}

void EventService::folder_changed(const catalog::WatchedFolder& folder) {
  tell(folder.account, [&](const EventSubscription& one) {
    for (std::size_t index = 0; index < one.folders.size(); ++index) {
      if (one.principal.whole(one.folders[index]) == folder.path) one.feed->folder_changed(index);
    }
  });
}

catalog::WatchedFolders EventService::watched() {
  constexpr int kCallsUntilKnown = 4;
  catalog::WatchedFolders watched;
  for (const Subscription& one : all()) {
    const AccountId account = one->principal.account->id;
    watched.insert({account, Path()});
    const bool is_known = one->calls_of_watched++ == kCallsUntilKnown;
    for (std::size_t index = 0; index < one->folders.size(); ++index) {
      watched.insert({account, one->principal.whole(one->folders[index])});
      if (is_known) one->feed->folder_changed(index);
    }
  }
  return watched;
}

void EventService::used_changed(AccountId account) {
  tell(account, [](const EventSubscription& one) {
    if (!one.principal.scope) one.feed->account_changed();
  });
}

std::size_t EventService::streams() const {
  const std::lock_guard lock(mutex_);
  return count_readers(subscriptions_.begin(), subscriptions_.end());
}

std::vector<EventService::Subscription> EventService::all() {
  const std::lock_guard lock(mutex_);
  std::vector<Subscription> all;
  for (const auto& [account, one] : subscriptions_) all.push_back(one);
  return all;
}

void EventService::drop_unused() {
  const auto limit = Clock::now() - kKeptFor;
  std::vector<Subscription> dropped;  // Ends when the mutex is free again.
  const std::lock_guard lock(mutex_);
  std::erase_if(subscriptions_, [&](const auto& known) {
    const EventFeed& feed = *known.second->feed;
    const bool is_unused = feed.has_ended() || (!feed.has_reader() && feed.left_at() < limit);
    if (is_unused) dropped.push_back(known.second);
    return is_unused;
  });
}

Task<void> EventService::check_rights() {
  drop_unused();
  const auto subscriptions = all();
  if (subscriptions.empty()) co_return;
  const auto mark = co_await services_.catalog.rights_marks().read();
  if (!mark) co_return;  // Rights cannot change while the catalog is away.
  const bool refreshes_shares = ++checks_ % kChecksPerShareRefresh == 0;
  for (const Subscription& one : subscriptions) {
    if (one->mark != *mark || one->has_expired()) co_await check(*one, *mark);
    one->wants_mounts |= one->feed->take_lost() || (refreshes_shares && one->has_share());
    const bool is_wanted = one->wants_all || one->wants_mounts;
    if (!is_wanted || one->feed->has_ended() || std::exchange(one->is_refreshing, true)) continue;
    // A blocked disk must not delay the checks of others.
    services_.background.spawn(refresh(one));
  }
}

Task<void> EventService::check(EventSubscription& one, catalog::RightsMark mark) {
  const auto stands = co_await access_recheck_.of(one.principal, {});
  if (withdrawal_in(stands)) one.feed->end();
  if (!stands) co_return;
  one.mark = mark;
  one.wants_all = true;
}

Task<void> EventService::refresh(Subscription one) {
  const ClearedFlag cleared(one->is_refreshing);
  const bool all = std::exchange(one->wants_all, false);
  one->wants_mounts = false;
  if (all) {
    co_await one->refresh_all();
  } else {
    co_await one->refresh_mounts();
  }
}

}  // namespace coffer::core
