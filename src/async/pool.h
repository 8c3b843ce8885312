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

/// Threads that several pools share fairly: pools with work take turns, and none occupies more
/// threads than its share, so that work that hangs leaves threads to the others. Starts with one
/// thread, and adds another whenever all are busy. Safe from any thread.
class SharedThreads {
 public:
  /// `low` prefers the threads of other work where processors are scarce.
  enum class Priority : std::uint8_t { normal, low };

  /// `most` is at least one. Throws std::system_error if the first thread cannot be started; if a
  /// later one cannot, work waits for the existing ones.
  explicit SharedThreads(std::size_t most, Priority priority = Priority::normal);
  /// Waits for all work, and for all timers.
  ~SharedThreads();
  SharedThreads(const SharedThreads&) = delete;
  SharedThreads& operator=(const SharedThreads&) = delete;

  using Call = std::move_only_function<void()>;

  /// One pool's calls. Changed by SharedThreads alone.
  struct Queue {
    const std::size_t most;  ///< Threads at once; at least one.
    std::deque<Call> waiting = {};
    std::size_t running = 0;
    bool is_ready = false;  ///< It is in the list of the queues that take turns.
  };

  /// Runs `call`, which must not throw, when it is the queue's turn. The calls of one queue begin
  /// in the order in which they were posted.
  void post(const std::shared_ptr<Queue>& queue, Call call);

  /// The number of calls that run, and of those that wait for a thread.
  struct Load {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Load load() const;

  /// For timers whose handlers run on these threads. A handler posts work that may block to a pool.
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

/// Threads for calls that may block: disks, SQL, libraries without an asynchronous interface. An
/// I/O thread never makes such a call itself. Safe from any thread. It must outlive the tasks that
/// use it.
class Pool {
 public:
  /// Uses threads of its own. The destructor waits for the calls that run and those due later.
  explicit Pool(std::size_t threads);
  /// Uses at most `most` of these threads, which must outlive it and its calls.
  Pool(SharedThreads& threads, std::size_t most);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Runs `work()` on a thread of the pool, and resumes the caller on its own executor with the
  /// value or the exception. Cancellation does not interrupt a call that runs.
  template <class F>
  Task<std::invoke_result_t<F>> run(F work);

  /// Runs `work(resume)` on a thread of the pool, and resumes the caller when `resume` is called,
  /// by `work` or by anything that it is moved to. An exception of `work` reaches the caller;
  /// `resume` must not be called then.
  template <class F>
  Task<void> start(F work);

  /// Runs `work()`, which must not throw, on a thread of the pool, without waiting for it.
  template <class F>
  void post(F work) {
    threads_.post(queue_, std::move(work));
  }
  /// The same after `delay`.
  template <class F>
  void post_after(std::chrono::steady_clock::duration delay, F work);

  /// A timer whose handlers run on the pool's threads and `post` work that may block. The pool's
  /// destructor waits for it, so a timer that is due much later must be cancelled or destroyed
  /// first.
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
