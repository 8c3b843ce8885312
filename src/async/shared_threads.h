#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

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

}  // namespace coffer
