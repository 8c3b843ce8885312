#include "core/events/event_feed.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <utility>

namespace coffer::core {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

PendingEvents::PendingEvents(std::vector<std::string> folders)
    : paths_(std::move(folders)), folders_(paths_.size()) {}

bool PendingEvents::Slot::take(Instant now, std::chrono::milliseconds interval) {
  if (!is_pending || now < not_before) return false;
  is_pending = false;
  not_before = now + interval;
  return true;
}

void PendingEvents::note_task(std::string_view id) {
  const auto known = tasks_.find(id);
  if (known != tasks_.end()) {
    known->second.is_pending = true;
  } else if (tasks_.size() < kMostTasks) {
    tasks_.emplace(id, Slot{true});
  } else {
    note_resync();
  }
}

void PendingEvents::note_share(std::string_view location, bool is_shared) {
  if (!shares_.contains(location) && shares_.size() >= kMostTasks) return note_resync();
  shares_.insert_or_assign(std::string(location), is_shared);
}

void PendingEvents::for_each(const std::function<void(const Slot&)>& look) const {
  look(resync_);
  look(account_);
  for (const Slot& folder : folders_) look(folder);
  for (const auto& [id, task] : tasks_) look(task);
}

bool PendingEvents::empty() const {
  return next_due() == Instant::max();
}

PendingEvents::Instant PendingEvents::next_due() const {
  if (resync_.is_pending) return resync_.not_before;
  if (!shares_.empty()) return Instant::min();
  Instant due = Instant::max();
  for_each([&](const Slot& slot) {
    if (slot.is_pending) due = std::min(due, slot.not_before);
  });
  return due;
}

std::vector<Event> PendingEvents::take(Instant now) {
  std::vector<Event> all;
  if (resync_.is_pending) {
    if (!resync_.take(now, kResyncInterval)) return all;
    clear();
    all.push_back({Event::Kind::resync});
    return all;
  }
  if (account_.take(now, kAccountInterval)) all.push_back({Event::Kind::account});
  for (const auto& [location, is_shared] : std::exchange(shares_, {})) {
    all.push_back({is_shared ? Event::Kind::shared : Event::Kind::unshared, location});
  }
  for (std::size_t index = 0; index < folders_.size(); ++index) {
    if (folders_[index].take(now, kFolderInterval))
      all.push_back({Event::Kind::folder, paths_[index]});
  }
  for (auto& [id, task] : tasks_) {
    if (task.take(now, kTaskInterval)) all.push_back({Event::Kind::task, id});
  }
  forget_told(now);
  return all;
}

void PendingEvents::forget_told(Instant now) {
  std::erase_if(tasks_, [now](const auto& task) {
    return !task.second.is_pending && task.second.not_before <= now;
  });
}

void PendingEvents::clear() {
  account_.is_pending = false;
  for (Slot& folder : folders_) folder.is_pending = false;
  tasks_.clear();
  shares_.clear();
}

EventFeed::EventFeed(std::string id, std::vector<std::string> folders)
    : id_(std::move(id)), pending_(std::move(folders)) {}

template <class Note>
void EventFeed::note(Note change) {
  const std::lock_guard lock(mutex_);
  change();
  // A folder that changes all the time wakes no reader before its interval is over.
  if (has_ended_ || pending_.next_due() < waits_until_) wake();
}

/// With the mutex, which keeps a reader that ends from leaving before this has returned, and so its
/// executor alive.
void EventFeed::wake() {
  const auto timer = std::exchange(waiter_, nullptr);
  waits_until_ = Instant::min();
  if (timer) asio::post(timer->get_executor(), [timer] { timer->cancel(); });
}

void EventFeed::folder_changed(std::size_t index) {
  note([&] { pending_.note_folder(index); });
}

void EventFeed::folder_lost(std::size_t index) {
  note([&] {
    has_lost_ = true;
    pending_.note_folder(index);
  });
}

void EventFeed::task_changed(std::string_view id) {
  note([&] { pending_.note_task(id); });
}

void EventFeed::account_changed() {
  note([&] { pending_.note_account(); });
}

void EventFeed::share_changed(std::string_view location, bool is_shared) {
  note([&] { pending_.note_share(location, is_shared); });
}

void EventFeed::missed() {
  note([&] { pending_.note_resync(); });
}

bool EventFeed::take_lost() {
  const std::lock_guard lock(mutex_);
  return std::exchange(has_lost_, false);
}

void EventFeed::end() {
  note([&] { has_ended_ = true; });
}

bool EventFeed::has_ended() const {
  const std::lock_guard lock(mutex_);
  return has_ended_;
}

EventFeed::Reader EventFeed::attach(std::optional<std::uint64_t> number) {
  const std::lock_guard lock(mutex_);
  wake();
  reader_ = ++last_reader_;
  const bool missed_something = number && (*number != told_ || !pending_.empty());
  if (missed_something) pending_.note_resync();
  return {reader_, told_};
}

void EventFeed::detach(std::uint64_t reader) {
  const std::lock_guard lock(mutex_);
  if (reader != reader_) return;
  reader_ = 0;
  left_at_ = Clock::now();
  wake();
}

bool EventFeed::has_reader() const {
  const std::lock_guard lock(mutex_);
  return reader_ != 0;
}

EventFeed::Instant EventFeed::left_at() const {
  const std::lock_guard lock(mutex_);
  return left_at_;
}

/// With the mutex.
std::vector<Event> EventFeed::take(Instant now) {
  std::vector<Event> events = pending_.take(now);
  for (Event& event : events) event.number = ++told_;
  return events;
}

Task<std::optional<std::vector<Event>>> EventFeed::next(std::uint64_t reader, Instant limit) {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (is_over(reader)) co_return std::nullopt;
      const Instant now = Clock::now();
      std::vector<Event> events = take(now);
      if (!events.empty() || now >= limit) co_return events;
    }
    co_await wait_until(reader, limit);
  }
}

/// Or until something may be due.
Task<void> EventFeed::wait_until(std::uint64_t reader, Instant limit) {
  const auto executor = co_await asio::this_coro::executor;
  const auto timer = std::make_shared<asio::steady_timer>(executor);
  {
    const std::lock_guard lock(mutex_);
    const Instant due = std::min(limit, pending_.next_due());
    if (is_over(reader) || due <= Clock::now()) co_return;
    timer->expires_at(due);
    waiter_ = timer;
    waits_until_ = due;
  }
  // This thread runs nothing else before the wait has begun, so no wake-up is missed.
  co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
  const std::lock_guard lock(mutex_);
  if (waiter_ != timer) co_return;
  waiter_ = nullptr;
  waits_until_ = Instant::min();
}

}  // namespace coffer::core
