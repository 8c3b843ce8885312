#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace coffer {

/// A queue of lines to a descriptor, written by a thread of its own, so that threads that log never
/// wait for the reader. Lines that do not fit into `limit_bytes`, or cannot be written, are dropped
/// and counted; the line that `notice(count)` makes follows as soon as writing works again. Safe
/// from any thread.
class LogQueue {
 public:
  using Notice = std::function<std::string(std::size_t dropped_lines)>;

  /// The descriptor must stay open, also after a `close` that returned false.
  LogQueue(int descriptor, std::size_t limit_bytes, Notice notice);
  /// Closes without waiting for the writer, unless `close` was called.
  ~LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  /// Takes a line with its line feed. The last quarter of the queue is reserved for `important`
  /// lines.
  void push(std::string_view line, bool important);
  /// True when every line is written or counted as dropped; false if that took longer than `limit`.
  /// Lines that are pushed later are ignored.
  bool close(std::chrono::milliseconds limit);

 private:
  class Writer;
  std::shared_ptr<Writer> writer_;  ///< Shared with the thread, which may be left behind.
  std::thread thread_;
};

}  // namespace coffer
