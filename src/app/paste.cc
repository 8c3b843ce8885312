#include "app/paste.h"

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace coffer::app {
namespace {

constexpr std::size_t kLimitBytes = 1024 * 1024;
constexpr char kInterrupt = '\3';
constexpr char kEndOfInput = '\4';

/// A terminal hands over single characters and shows none: of a line it would keep 4095 alone,
/// fewer than some tokens have. It is as it was when this ends, and what was not read is dropped:
/// nothing of a token becomes a shell's input.
class QuietTerminal {
 public:
  QuietTerminal() {
    is_changed_ = ::tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!is_changed_) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &quiet);
  }
  ~QuietTerminal() {
    if (is_changed_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;

 private:
  termios before_{};
  bool is_changed_ = false;
};

std::unexpected<Error> too_much() {
  return fail(ErrorCode::invalid, "Standard input has more than a login could be.");
}

Result<std::string> read_typed(std::string_view prompt, bool (*is_whole)(std::string_view)) {
  // First, as who is told may answer at once.
  const QuietTerminal quiet;
  fmt::print(stderr, "{}", prompt);
  std::string text;
  for (char c = 0; std::cin.get(c) && c != kEndOfInput;) {
    if (c == kInterrupt) return fail(ErrorCode::invalid, "Given up; nothing was changed.");
    text += c;
    if (text.size() > kLimitBytes) return too_much();
    if (c == '\n' && is_whole(text)) break;
  }
  return text;
}

}  // namespace

Result<std::string> read_paste(std::string_view prompt, bool (*is_whole)(std::string_view)) {
  if (::isatty(STDIN_FILENO) == 1) return read_typed(prompt, is_whole);
  std::string text;
  for (char c = 0; std::cin.get(c);) {
    text += c;
    if (text.size() > kLimitBytes) return too_much();
  }
  return text;
}

}  // namespace coffer::app
