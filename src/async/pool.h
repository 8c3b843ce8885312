#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "async/shared_threads.h"
#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Threads for calls that may block: cold disk, SQL, libraries without an asynchronous face. An I/O
/// thread never makes such a call itself. Safe from any thread; outlives every task that uses it.
class Pool {
 public:
  /// Has threads of its own, whose end waits for the calls that were begun and those due later.
  explicit Pool(std::size_t threads);
  /// Has a share of others' threads, and is never on more than `most` of them. They outlive it and
  /// what was begun here.
  Pool(SharedThreads& threads, std::size_t most);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Runs `work()` on a thread of the pool and resumes the awaiter on its own executor with what it
  /// returned or threw. Cancellation does not reach a call that was begun: it ends by itself first.
  template <class F>
  Task<std::invoke_result_t<F>> run(F work);

  /// Runs `work(Resume&)` on a thread of the pool; the awaiter is resumed when that is called,
  /// which `work` does or passes on to something that does. What it throws before reaches the
  /// awaiter.
  template <class F>
  Task<void> start(F work);

  /// Runs `work()`, which must not throw, on a thread of the pool, without waiting for it.
  template <class F>
  void post(F work) {
    threads_.post(queue_, std::move(work));
  }
  /// The same after a while.
  template <class F>
  void post_after(std::chrono::steady_clock::duration delay, F work);

  /// A timer whose handlers run on the pool's threads; what may block they `post`. The pool waits
  /// for it too, so what may take long is to be cancelled first; a timer that is destroyed is.
  asio::steady_timer timer() { return asio::steady_timer(threads_.context()); }

 private:
  std::unique_ptr<SharedThreads> own_;
  SharedThreads& threads_;
  const std::shared_ptr<SharedThreads::Queue> queue_;
};

template <class F>
Task<void> Pool::start(F work) {
  // Both live in this frame, which stays until it is resumed.
  std::exception_ptr error;
  co_await suspend([&](Resume resume) {
    post([&work, &error, resume = std::move(resume)]() mutable {
      try {
        work(resume);
      } catch (...) {
        error = std::current_exception();
        resume();
      }
    });
  });
  if (error) std::rethrow_exception(error);
}

template <class F>
Task<std::invoke_result_t<F>> Pool::run(F work) {
  using R = std::invoke_result_t<F>;
  if constexpr (std::is_void_v<R>) {
    co_await start([&](Resume& resume) {
      work();
      resume();
    });
  } else {
    std::optional<R> value;
    co_await start([&](Resume& resume) {
      value.emplace(work());
      resume();
    });
    co_return std::move(*value);
  }
}

template <class F>
void Pool::post_after(std::chrono::steady_clock::duration delay, F work) {
  auto timer = std::make_unique<asio::steady_timer>(threads_.context(), delay);
  auto& due = *timer;
  due.async_wait(
      [timer = std::move(timer), work = std::move(work), &threads = threads_,
       queue = queue_](auto /*error*/) mutable { threads.post(queue, std::move(work)); });
}

}  // namespace coffer
