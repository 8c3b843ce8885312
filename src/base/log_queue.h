#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace coffer {

/// A queue of lines. A thread of the queue writes the lines to a descriptor, so that threads that
/// log never wait until the descriptor accepts them. Lines that do not fit into `limit_bytes`, or
/// cannot be written, are dropped and counted. As soon as writing works again, the queue adds the
/// line `notice(count)`. Safe from any thread.
class LogQueue {
 public:
  using Notice = std::function<std::string(std::size_t dropped_lines)>;

  /// The descriptor must stay open even after `close` returned false: the thread may still use it.
  LogQueue(int descriptor, std::size_t limit_bytes, Notice notice);
  /// Closes the queue if it is not closed. Does not wait until the queued lines are written.
  ~LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  /// Adds a line, which must end with a line feed. The last quarter of the queue is reserved for
  /// `important` lines.
  void push(std::string_view line, bool important);
  /// Closes the queue; lines that are pushed later are ignored. Returns true when every line is
  /// written or counted as dropped. Returns false if this takes longer than `limit`.
  bool close(std::chrono::milliseconds limit);

 private:
  class Writer;
  std::shared_ptr<Writer> writer_;  ///< Shared with the thread, which may outlive this object.
  std::thread thread_;
};

}  // namespace coffer
