#include "core/event_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/random.h"

namespace coffer::core {
namespace {

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

EventStream::EventStream(EventService& service, std::shared_ptr<EventSubscription> subscription,
                         EventFeed::Reader reader)
    : service_(service),
      subscription_(std::move(subscription)),
      reader_(reader),
      number_(reader.number) {}

EventStream::~EventStream() {
  end();
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
