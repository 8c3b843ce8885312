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
#include <unordered_map>
#include <utility>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Threads that several pools share fairly. Pools with work take turns. Each pool has a maximum of
/// threads (Queue::most), so that a pool whose work hangs cannot occupy all threads. Starts with
/// one thread, and adds another whenever all are busy, up to a maximum. Safe from any thread.
class SharedThreads {
 public:
  /// `low` threads get less processor time than others when processors are busy (setpriority(2)).
  enum class Priority : std::uint8_t { normal, low };

  /// `most` is the maximal number of threads, at least one. Throws std::system_error if the first
  /// thread cannot be started. If a later thread cannot be started, work waits for the existing
  /// threads.
  explicit SharedThreads(std::size_t most, Priority priority = Priority::normal);
  /// Waits until all posted work has ended and each timer has fired or has been cancelled.
  ~SharedThreads();
  SharedThreads(const SharedThreads&) = delete;
  SharedThreads& operator=(const SharedThreads&) = delete;

  using Call = std::move_only_function<void()>;

  /// The calls of one pool. Only SharedThreads changes them.
  struct Queue {
    const std::size_t most;  ///< The maximal number of calls that run at once; at least one.
    std::deque<Call> waiting = {};
    std::size_t running = 0;
    bool is_ready = false;  ///< True if the queue is in `ready_`, whose queues take turns.
  };

  /// Runs `call`, which must not throw, when the queue's turn comes. The calls of one queue begin
  /// in the order in which they were posted.
  void post(const std::shared_ptr<Queue>& queue, Call call);

  /// The number of running calls, and of posted calls that wait for a thread.
  struct Load {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Load load() const;

  /// Returns the context for timers whose handlers run on these threads. If a handler has work that
  /// may block, it must post this work to a pool.
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

/// Threads for calls that may block: disks, SQL, and libraries without an asynchronous interface.
/// I/O threads never make such calls themselves. Safe from any thread. The pool must outlive the
/// tasks that use it.
class Pool {
 public:
  /// Creates threads for this pool only. The destructor waits for all calls, including those of
  /// `post_after` that are due later.
  explicit Pool(std::size_t threads);
  /// Uses at most `most` of the shared `threads` at once. `threads` must outlive the pool and its
  /// calls.
  Pool(SharedThreads& threads, std::size_t most);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Runs `work()` on a thread of the pool. Resumes the caller on its own executor with the value
  /// or the exception of `work`. Cancellation does not interrupt a running call.
  template <class F>
  Task<std::invoke_result_t<F>> run(F work);

  /// Runs `work(resume)` on a thread of the pool, and resumes the caller when `resume` is called.
  /// `work` must either call `resume`, or move it elsewhere for a later call. If `work` throws
  /// instead, the caller receives the exception.
  template <class F>
  Task<void> start(F work);

  /// Runs `work()`, which must not throw, on a thread of the pool, without waiting for it.
  template <class F>
  void post(F work) {
    threads_.post(queue_, std::move(work));
  }
  /// Runs `work()`, which must not throw, on a thread of the pool after `delay`.
  template <class F>
  void post_after(std::chrono::steady_clock::duration delay, F work);

  /// Returns a timer whose handlers run on the pool's threads. If a handler has work that may
  /// block, it must `post` this work. The destructor of SharedThreads waits until the timer has
  /// fired, so a timer that is due much later must be cancelled or destroyed first.
  asio::steady_timer timer() { return asio::steady_timer(threads_.context()); }

 private:
  friend class FairThreads;
  Pool(SharedThreads& threads, std::shared_ptr<SharedThreads::Queue> queue)
      : threads_(threads), queue_(std::move(queue)) {}

  std::unique_ptr<SharedThreads> own_;
  SharedThreads& threads_;
  const std::shared_ptr<SharedThreads::Queue> queue_;
};

/// Threads that any number of owners share fairly (see SharedThreads). Keeps nothing of an owner
/// that has neither a pool nor a call. Safe from any thread.
class FairThreads {
 public:
  /// `threads` and `most_of_one` are the maximal numbers of threads, for all and for one owner.
  FairThreads(std::size_t threads, std::size_t most_of_one)
      : threads_(threads), most_of_one_(most_of_one) {}

  /// Returns a pool for calls of this owner, which must not outlive this object. All pools of one
  /// owner have one queue, so their calls begin in the order in which they were posted.
  Pool of(std::uint64_t owner);
  /// The number of owners that are known. For tests.
  std::size_t owners() const;

 private:
  void forget_idle();

  SharedThreads threads_;
  const std::size_t most_of_one_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::weak_ptr<SharedThreads::Queue>> queues_;
  std::size_t next_look_ = 64;  ///< When there are so many queues, those of idle owners go.
};

template <class F>
Task<void> Pool::start(F work) {
  // `work` and `error` live in this coroutine's frame, which exists until `resume` is called.
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
