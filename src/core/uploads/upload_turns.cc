#include "core/uploads/upload_turns.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace coffer::core {

/// A timer that is cut short when the turn is free; on no list any more when this is destroyed.
class UploadTurns::Waiter {
 public:
  Waiter(UploadTurns& turns, UploadId id, TimerPtr timer)
      : turns_(turns), id_(std::move(id)), timer_(std::move(timer)) {}
  ~Waiter() {
    const std::lock_guard lock(turns_.mutex_);
    const auto use = turns_.uses_.find(id_);
    if (use != turns_.uses_.end()) use->second.waiting.remove(timer_);
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

 private:
  UploadTurns& turns_;
  const UploadId id_;
  const TimerPtr timer_;
};

void UploadTurns::Turn::Leave::operator()(Held* held) const {
  held->turns.leave(held->id);
  delete held;
}

Task<std::optional<UploadTurns::Turn>> UploadTurns::take(
    UploadId id, Interrupt interrupt, std::chrono::steady_clock::duration patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const auto timer = std::make_shared<asio::steady_timer>(co_await asio::this_coro::executor);
  const Waiter waiter(*this, id, timer);
  std::uint64_t number = 0;
  std::uint64_t interrupted = 0;
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (number == 0) number = ++last_number_;
      const auto [found, is_free] = uses_.try_emplace(id);
      Use& use = found->second;
      if (is_free) {
        use.number = number;
        use.interrupt = std::move(interrupt);
        co_return Turn(*this, std::move(id));
      }
      if (std::chrono::steady_clock::now() >= deadline) co_return std::nullopt;
      const bool is_earlier = use.number < number && use.number != interrupted;
      if (is_earlier && use.interrupt) use.interrupt();
      interrupted = std::max(interrupted, use.number);
      use.waiting.remove(timer);
      use.waiting.push_back(timer);
    }
    timer->expires_at(deadline);
    co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

std::optional<UploadTurns::Turn> UploadTurns::take_now(const UploadId& id) {
  const std::lock_guard lock(mutex_);
  if (!uses_.try_emplace(id).second) return std::nullopt;
  return Turn(*this, id);
}

// Posted under the mutex: as long as a timer is on the list, its coroutine lives, and the context
// of that.
void UploadTurns::leave(const UploadId& id) {
  const std::lock_guard lock(mutex_);
  const auto use = uses_.find(id);
  for (const TimerPtr& timer : use->second.waiting) {
    asio::post(timer->get_executor(), [timer] { timer->cancel(); });
  }
  uses_.erase(use);
}

}  // namespace coffer::core
