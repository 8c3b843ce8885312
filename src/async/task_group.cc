#include "async/task_group.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <cassert>
#include <exception>
#include <utility>

#include "base/log.h"

namespace coffer {

void spawn_background(const asio::any_io_executor& executor, Task<void> task) {
  asio::co_spawn(executor, std::move(task), &log_broken_task);
}

void log_broken_task(const std::exception_ptr& thrown) {
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    spdlog::error("a background task broke: {}", error.what());
  }
}

TaskGroup::~TaskGroup() {
  assert(members_.empty());
}

void TaskGroup::spawn(asio::any_io_executor executor, Task<void> task) {
  auto signal = std::make_shared<asio::cancellation_signal>();
  Members::iterator member;
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return;
    member = members_.insert(members_.end(), Member{executor, signal});
  }
  // co_spawn connects the slot at once, so it happens on the executor that cancels it too.
  asio::post(executor, [this, executor, member, signal, task = std::move(task)]() mutable {
    asio::co_spawn(executor, std::move(task),
                   asio::bind_cancellation_slot(signal->slot(),
                                                [this, member, signal](std::exception_ptr thrown) {
                                                  log_broken_task(thrown);
                                                  finished(member);
                                                }));
  });
}

std::size_t TaskGroup::size() const {
  const std::lock_guard lock(mutex_);
  return members_.size();
}

void TaskGroup::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (const Member& member : members_) {
    asio::post(member.executor,
               [signal = member.signal] { signal->emit(asio::cancellation_type::terminal); });
  }
}

void TaskGroup::finished(Members::iterator member) {
  const std::lock_guard lock(mutex_);
  members_.erase(member);
  if (!members_.empty()) return;
  if (auto waiter = waiter_.lock()) {
    asio::post(waiter->get_executor(), [waiter] { waiter->cancel(); });
  }
}

Task<bool> TaskGroup::join(std::chrono::steady_clock::duration limit) {
  auto timer = std::make_shared<asio::steady_timer>(co_await asio::this_coro::executor, limit);
  {
    const std::lock_guard lock(mutex_);
    if (members_.empty()) co_return true;
    waiter_ = timer;
  }
  boost::system::error_code ignored;
  co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  co_return size() == 0;
}

}  // namespace coffer
