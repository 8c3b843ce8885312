#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "async/task.h"

namespace coffer {

/// Threads that several pools share without keeping each other waiting: pools that have work take
/// turns, and none occupies more threads than its share, so that work that hangs leaves threads to
/// the others. Safe from any thread.
class SharedThreads {
 public:
  /// `low` lets the threads of other work go first where processors are scarce.
  enum class Priority : std::uint8_t { normal, low };

  explicit SharedThreads(std::size_t threads, Priority priority = Priority::normal);
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

  /// For timers whose handlers run on these threads.
  asio::thread_pool& context() { return threads_; }

 private:
  void run_next();
  void line_up(const std::shared_ptr<Queue>& queue);

  const Priority priority_;
  mutable std::mutex mutex_;
  Load load_;
  std::deque<std::shared_ptr<Queue>> ready_;
  asio::thread_pool threads_;
};

}  // namespace coffer
