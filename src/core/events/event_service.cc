#include "core/events/event_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
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

/// What clients show of an account.
bool looks_alike(const catalog::Account& one, const catalog::Account& other) {
  return one.display_name == other.display_name && one.role == other.role &&
         one.quota_bytes == other.quota_bytes && one.preferences == other.preferences;
}

std::string describe(std::vector<Mount> mounts) {
  std::ranges::sort(mounts, {}, &Mount::prefix);
  std::string text;
  for (const Mount& mount : mounts) {
    text +=
        fmt::format("{}\n{}\n{}\n{}\n", mount.prefix, mount.name, mount.target, mount.read_only);
  }
  return text;
}

using Clock = std::chrono::steady_clock;

/// How often it is looked whether shares are where they were, in calls of `look`.
constexpr unsigned kLooksAtShares = 15;

/// A feed's id, and the number that a client stands at.
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

/// What one client wants to hear of, and what watches that. One coroutine at a time, but for what
/// is const.
class EventSubscription {
 public:
  struct Services {
    catalog::Catalog& catalog;
    HomeDirectories& homes;
    Mounts& mounts;
  };
  EventSubscription(Services services, Principal the_principal, std::vector<Path> the_folders,
                    std::string id);

  const Principal principal;
  const std::vector<Path> folders;
  const std::shared_ptr<EventFeed> feed;
  /// Of the catalog, when its rights were looked at last; nothing before the first time.
  std::optional<catalog::RightsMark> mark;
  // What is to be looked at next, and whether that is under way: for the service's background.
  bool wants_all = false;
  bool wants_mounts = false;
  bool is_looking = false;

  /// Watches the folders; fails where one's place is not there, or not for the principal.
  Task<Result<void>> begin();
  /// Rights or places changed: tells of what is other than it was, watches mounts that came, and
  /// those no more that went.
  Task<void> look_again();
  /// Watches again what its mount serves in another way by now.
  Task<void> look_at_mounts();
  /// Whether a folder of it is in a share.
  bool has_share() const;
  /// Whether a right of it ended by itself.
  bool has_expired() const;

 private:
  struct Watched {
    std::optional<Mount> mount;
    std::shared_ptr<storage::Backend> opened;  ///< Of the mount.
    std::shared_ptr<Namespace> ns;             ///< Holds what is watched.
    std::unique_ptr<storage::FolderWatch> watch;
  };
  Task<Result<Watched>> watch(std::size_t index);
  storage::FolderListener listener(std::size_t index) const;
  Task<void> look_at_mount(std::size_t index);
  Task<void> look_at_account();
  Task<void> look_at_locations();

  const Services services_;
  std::vector<Watched> watched_;
  catalog::Account account_;  ///< As the client knows it.
  std::optional<std::string> locations_;
};

EventSubscription::EventSubscription(Services services, Principal the_principal,
                                     std::vector<Path> the_folders, std::string id)
    : principal(std::move(the_principal)),
      folders(std::move(the_folders)),
      feed(std::make_shared<EventFeed>(std::move(id), texts_of(folders))),
      services_(services),
      watched_(folders.size()),
      account_(*principal.account) {}

// A notice that comes late, when the subscription has ended, changes nothing.
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
  auto ns = Namespace::of(principal, services_.homes, services_.mounts);
  if (!ns) co_return failure_of(std::move(ns));
  Watched one;
  one.ns = std::make_shared<Namespace>(*std::move(ns));
  const auto resolved = co_await one.ns->resolve(folders[index]);
  if (!resolved) co_return failure_of(resolved);
  one.mount = resolved->mount;
  if (one.mount) {
    auto opened = co_await services_.mounts.open(principal.account->id, one.mount->prefix);
    if (!opened) co_return failure_of(std::move(opened));
    one.opened = std::move(opened->backend);
  }
  one.watch = co_await resolved->backend->watch(resolved->path, listener(index));
  co_return one;
}

Task<Result<void>> EventSubscription::begin() {
  for (std::size_t index = 0; index < watched_.size(); ++index) {
    auto one = co_await watch(index);
    if (!one) co_return failure_of(std::move(one));
    watched_[index] = *std::move(one);
  }
  co_await look_at_locations();
  co_return Result<void>{};
}

Task<void> EventSubscription::look_again() {
  if (principal.scope && is_mount_name(principal.scope->front())) {
    // A key that is limited to a folder of a mount reaches nothing without that.
    const AccountId account = principal.account->id;
    const auto mount = co_await services_.mounts.find(account, principal.scope->front());
    if (!mount && is_gone(mount.error())) feed->end();
  }
  co_await look_at_account();
  co_await look_at_locations();
  co_await look_at_mounts();
}

Task<void> EventSubscription::look_at_mounts() {
  for (std::size_t index = 0; index < watched_.size(); ++index) {
    if (watched_[index].mount) co_await look_at_mount(index);
  }
}

Task<void> EventSubscription::look_at_mount(std::size_t index) {
  Watched& one = watched_[index];
  const auto opened = co_await services_.mounts.open(principal.account->id, one.mount->prefix);
  if (!opened) {
    // A mount that is not served now is looked at again with the next change.
    if (!is_gone(opened.error()) || !one.watch) co_return;
    one.watch = nullptr;
    one.opened = nullptr;
    feed->folder_changed(index);
    co_return;
  }
  if (one.watch && one.opened == opened->backend) co_return;
  auto again = co_await watch(index);
  if (!again) co_return;
  // The old watch ends before what it watches is let go.
  one.watch = nullptr;
  one = *std::move(again);
  feed->folder_changed(index);
}

Task<void> EventSubscription::look_at_account() {
  auto now = co_await services_.catalog.accounts().get(principal.account->id);
  if (!now || looks_alike(*now, account_)) co_return;
  account_ = *std::move(now);
  if (!principal.scope) feed->account_changed();
}

/// The places beside own files show in the root.
Task<void> EventSubscription::look_at_locations() {
  if (principal.scope) co_return;
  auto mounts = co_await services_.mounts.of(principal.account->id);
  if (!mounts) co_return;
  std::string now = describe(*std::move(mounts));
  const auto before = std::exchange(locations_, std::move(now));
  if (!before || *before == *locations_) co_return;
  feed->account_changed();
  const auto root = std::ranges::find_if(folders, &Path::is_root);
  if (root != folders.end()) {
    feed->folder_changed(static_cast<std::size_t>(root - folders.begin()));
  }
}

bool EventSubscription::has_share() const {
  return std::ranges::any_of(watched_, [](const Watched& one) {
    return one.mount && one.mount->kind == LocationKind::shared;
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
    if (has_any && subscription_->principal.scope) co_await leave_out_others(*events);
    // What is not for it is not to be noticed either, by an answer that comes early.
    if (has_any && events->empty()) continue;
    if (has_any) number_ = events->back().number;
    co_return events;
  }
}

Task<void> EventStream::leave_out_others(std::vector<Event>& events) {
  std::vector<Event> seen;
  for (Event& event : events) {
    if (co_await is_to_be_told(event)) seen.push_back(std::move(event));
  }
  events = std::move(seen);
}

/// A key that is limited to a folder knows of tasks within it alone.
Task<bool> EventStream::is_to_be_told(const Event& event) {
  if (event.kind == Event::Kind::account) co_return false;
  if (event.kind != Event::Kind::task || told_tasks_.contains(event.subject)) co_return true;
  TaskId id{event.subject};
  const auto found =
      co_await service_.services_.tasks.find(subscription_->principal, std::move(id));
  if (!found) co_return false;
  told_tasks_.insert(event.subject);
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
                   fmt::format("A stream tells of {} folders at most.", kMostFolders));
  }
  std::ranges::sort(folders);
  const auto repeated = std::ranges::unique(folders);
  folders.erase(repeated.begin(), repeated.end());
  if (auto known = take_up(principal, folders, last_id)) co_return known;
  auto subscription = std::make_shared<EventSubscription>(
      EventSubscription::Services{services_.catalog, services_.homes, services_.mounts}, principal,
      std::move(folders), fmt::format("{}-{}", run_, random_hex(8)));
  auto begun = co_await subscription->begin();
  if (!begun) co_return failure_of(std::move(begun));
  if (!last_id.empty()) subscription->feed->missed();
  const EventFeed::Reader reader = subscription->feed->attach({});
  auto added = add(subscription);
  if (!added) co_return failure_of(std::move(added));
  co_return std::make_unique<EventStream>(*this, std::move(subscription), reader);
}

/// Null where the client is none that is waited for.
std::unique_ptr<EventStream> EventService::take_up(const Principal& principal,
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

/// Those whose clients left make room.
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

Task<void> EventService::look() {
  drop_unused();
  const auto subscriptions = all();
  if (subscriptions.empty()) co_return;
  const auto mark = co_await services_.catalog.rights_marks().read();
  if (!mark) co_return;  // Nothing can be changed either, or shows once the catalog is back.
  const bool looks_at_shares = ++looks_ % kLooksAtShares == 0;
  for (const Subscription& one : subscriptions) {
    if (one->mark != *mark || one->has_expired()) co_await check(*one, *mark);
    one->wants_mounts |= one->feed->take_lost() || (looks_at_shares && one->has_share());
    const bool is_wanted = one->wants_all || one->wants_mounts;
    if (!is_wanted || one->feed->has_ended() || std::exchange(one->is_looking, true)) continue;
    // A disk that does not answer must not keep the rights of others from being looked at.
    services_.background.spawn(look_at(one));
  }
}

Task<void> EventService::check(EventSubscription& one, catalog::RightsMark mark) {
  std::vector<MountUse> none;
  const auto stands = co_await access_recheck_.of(one.principal, std::move(none));
  if (!stands && is_withdrawal(stands.error())) one.feed->end();
  if (!stands) co_return;
  one.mark = mark;
  one.wants_all = true;
}

Task<void> EventService::look_at(Subscription one) {
  const bool all = std::exchange(one->wants_all, false);
  one->wants_mounts = false;
  if (all) {
    co_await one->look_again();
  } else {
    co_await one->look_at_mounts();
  }
  one->is_looking = false;
}

}  // namespace coffer::core
