#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Threads that several pools share without keeping each other waiting: pools that have work take
/// turns, and none occupies more threads than its share, so that work that hangs leaves threads to
/// the others. One is there from the start, and another one as soon as all that there are work.
/// Safe from any thread.
class SharedThreads {
 public:
  /// `low` lets the threads of other work go first where processors are scarce.
  enum class Priority : std::uint8_t { normal, low };

  /// `most` is at least one. Throws std::system_error if the machine does not give the first one;
  /// without the others, work waits for those that there are.
  explicit SharedThreads(std::size_t most, Priority priority = Priority::normal);
  /// Waits for all work, and for timers that are due later.
  ~SharedThreads();
  SharedThreads(const SharedThreads&) = delete;
  SharedThreads& operator=(const SharedThreads&) = delete;

  using Call = std::move_only_function<void()>;

  /// One pool's calls. Changed by SharedThreads alone.
  struct Queue {
    const std::size_t most;  ///< Threads at once; at least one.
    std::deque<Call> waiting = {};
    std::size_t running = 0;
    bool is_ready = false;  ///< It stands in the row of those that take turns.
  };

  /// Runs `work`, which must not throw, when it is the queue's turn. Call of one queue begins in
  /// the order in which they were posted.
  void post(const std::shared_ptr<Queue>& queue, Call call);

  /// How many calls run, and how many wait for a thread.
  struct Load {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Load load() const;

  /// For timers whose handlers run on these threads; what may block they post to a pool.
  asio::io_context& context() { return context_; }

 private:
  void run_next();
  void line_up(const std::shared_ptr<Queue>& queue);
  void begin_thread();
  void keep_one_idle();

  const std::size_t most_;
  const Priority priority_;
  mutable std::mutex mutex_;
  Load load_;
  std::deque<std::shared_ptr<Queue>> ready_;
  asio::io_context context_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> stays_{
      context_.get_executor()};
  std::vector<std::thread> threads_;
};

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
