#include "base/log_queue.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace coffer {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLimitBytes = 4000;
constexpr std::string_view kOrdinary = "ordinary\n";
constexpr std::string_view kImportant = "important\n";
constexpr std::string_view kDropped = "dropped ";

std::string notice(std::size_t count) {
  return std::string(kDropped) + std::to_string(count) + "\n";
}

/// A pipe whose reader is the test.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int to() const { return ends_[1]; }
  /// Fills it, so that a write has to wait.
  void fill() const {
    const std::string bytes(4096, 'x');
    ::fcntl(to(), F_SETFL, O_NONBLOCK);
    while (::write(to(), bytes.data(), bytes.size()) > 0) {
    }
    ::fcntl(to(), F_SETFL, 0);
  }
  /// Reads until it has read `end` and the rest of that line.
  std::string read_to(std::string_view end) {
    std::string text;
    std::array<char, 65536> bytes{};
    while (!text.contains(end) || !text.ends_with('\n')) {
      const ssize_t got = ::read(ends_[0], bytes.data(), bytes.size());
      if (got <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

std::size_t count_of(std::string_view text, std::string_view line) {
  std::size_t found = 0;
  for (auto at = text.find(line); at != text.npos; at = text.find(line, at + 1)) ++found;
  return found;
}

/// What the notices in the text count in all.
std::size_t dropped_in(std::string_view text) {
  std::size_t sum = 0;
  for (auto at = text.find(kDropped); at != text.npos; at = text.find(kDropped, at + 1)) {
    sum += std::stoull(std::string(text.substr(at + kDropped.size(), 20)));
  }
  return sum;
}

TEST(LogQueue, WritesAllLinesInOrderBeforeItIsClosed) {
  Pipe pipe;
  LogQueue queue(pipe.to(), kLimitBytes, notice);
  std::string expected;
  for (char c = 'a'; c <= 'z'; ++c) {
    expected += std::string(1, c) + "\n";
    queue.push(std::string(1, c) + "\n", c == 'm');
  }
  EXPECT_TRUE(queue.close(30s));
  EXPECT_EQ(pipe.read_to("z"), expected);
}

TEST(LogQueue, CountsWhatItDropsAndKeepsRoomForImportantLines) {
  Pipe pipe;
  pipe.fill();
  LogQueue queue(pipe.to(), kLimitBytes, notice);
  // More than what waits and what the writer may have taken before it had to wait.
  const std::size_t pushed = 4 * kLimitBytes / kOrdinary.size();
  for (std::size_t i = 0; i < pushed; ++i) queue.push(kOrdinary, false);
  queue.push(kImportant, true);
  std::string text;
  while (count_of(text, kOrdinary) + dropped_in(text) < pushed) text += pipe.read_to(kDropped);
  EXPECT_EQ(count_of(text, kOrdinary) + dropped_in(text), pushed);
  EXPECT_GE(dropped_in(text), pushed / 4);
  EXPECT_EQ(count_of(text, kImportant), 1u);
}

TEST(LogQueue, IsClosedInTimeWhereTheReaderDoesNotRead) {
  Pipe pipe;
  pipe.fill();
  LogQueue queue(pipe.to(), kLimitBytes, notice);
  queue.push(kOrdinary, false);
  EXPECT_FALSE(queue.close(10ms));
  queue.push(kOrdinary, false);
  EXPECT_FALSE(queue.close(0ms));
  // The thread that was left behind still has the pipe.
  EXPECT_EQ(count_of(pipe.read_to(kOrdinary), kOrdinary), 1u);
}

}  // namespace
}  // namespace coffer
