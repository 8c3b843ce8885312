#include "base/log_queue.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace coffer {
namespace {

/// Lines that are pushed within this time are written together.
constexpr std::chrono::milliseconds kGatherTime{5};

/// The size of as many whole lines as a pipe takes in one piece, so that lines of programs that
/// share it are never mixed; at least one line.
std::size_t piece_of(std::string_view text) {
  const std::size_t end = text.substr(0, PIPE_BUF).rfind('\n');
  return end == std::string_view::npos ? text.find('\n') + 1 : end + 1;
}

/// Writes whole lines; returns the number of lines that could not be written.
std::size_t write_lines(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), piece_of(text));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

class LogQueue::Writer {
 public:
  Writer(int descriptor, std::size_t limit_bytes, Notice notice)
      : descriptor_(descriptor), limit_bytes_(limit_bytes), notice_(std::move(notice)) {}

  void push(std::string_view line, bool important) {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    const std::size_t room = important ? limit_bytes_ : limit_bytes_ - limit_bytes_ / 4;
    if (waiting_.size() + line.size() > room) {
      ++dropped_;
      return;
    }
    if (waiting_.empty()) changed_.notify_one();
    waiting_ += line;
  }

  bool close(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    closing_ = true;
    changed_.notify_one();
    return ended_now_.wait_for(lock, limit, [this] { return ended_; });
  }

  void run() {
    while (take_batch()) {
      const std::size_t lost = write_lines(descriptor_, batch_);
      const std::lock_guard lock(mutex_);
      dropped_ += lost;
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ended_now_.notify_all();
  }

 private:
  /// Waits for lines; false once there are none and the queue is closed.
  bool take_batch() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    changed_.wait_for(lock, kGatherTime, [this] { return closing_; });
    if (waiting_.empty()) return false;
    batch_.clear();
    std::swap(batch_, waiting_);
    if (dropped_ > 0) batch_ += notice_(std::exchange(dropped_, 0));
    return true;
  }

  const int descriptor_;
  const std::size_t limit_bytes_;
  const Notice notice_;
  std::string batch_;  ///< Used by the writing thread only.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable ended_now_;
  std::string waiting_;
  std::size_t dropped_ = 0;
  bool closing_ = false;
  bool ended_ = false;
};

LogQueue::LogQueue(int descriptor, std::size_t limit_bytes, Notice notice)
    : writer_(std::make_shared<Writer>(descriptor, limit_bytes, std::move(notice))),
      thread_([writer = writer_] { writer->run(); }) {}

LogQueue::~LogQueue() {
  close(std::chrono::milliseconds(0));
}

void LogQueue::push(std::string_view line, bool important) {
  writer_->push(line, important);
}

bool LogQueue::close(std::chrono::milliseconds limit) {
  const bool ended = writer_->close(limit);
  if (!thread_.joinable()) return ended;
  // A thread that hangs in write(2) cannot be joined; it shares the ownership of the Writer.
  if (ended) {
    thread_.join();
  } else {
    thread_.detach();
  }
  return ended;
}

}  // namespace coffer
