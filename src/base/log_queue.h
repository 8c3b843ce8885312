#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace coffer {

/// Lines on their way to a descriptor. A thread of its own writes them, so that a thread that logs
/// never waits for the reader. What does not fit into `limit_bytes`, or cannot be written, is
/// dropped and counted; `notice(count)` makes the line that says so, which follows as soon as
/// writing works again. Safe from any thread.
class LogQueue {
 public:
  using Notice = std::function<std::string(std::size_t dropped_lines)>;

  /// The descriptor must stay open, also after a `close` that returned false.
  LogQueue(int descriptor, std::size_t limit_bytes, Notice notice);
  /// Closes without waiting for the writer where that has not been done.
  ~LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  /// Takes a line with its line feed. The last quarter of the room is kept for `important` ones.
  void push(std::string_view line, bool important);
  /// True once all that was pushed has been written or counted as dropped; false if that took
  /// longer than `limit`. What is pushed later is ignored.
  bool close(std::chrono::milliseconds limit);

 private:
  class Writer;
  std::shared_ptr<Writer> writer_;  ///< Shared with the thread, which may be left behind.
  std::thread thread_;
};

}  // namespace coffer
