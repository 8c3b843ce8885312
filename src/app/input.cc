#include "app/input.h"

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <utility>

namespace coffer::app {
namespace {

constexpr std::size_t kSmallFileBytes = 64 * 1024;
constexpr std::size_t kInputLimitBytes = 1024 * 1024;
constexpr char kInterrupt = '\3';
constexpr char kEndOfInput = '\4';
constexpr char kBackspace = '\b';
constexpr char kDelete = '\x7f';
constexpr char kErase = '\x15';  // Ctrl-U.

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

std::unexpected<Error> given_up() {
  return fail(ErrorCode::invalid, "Given up; nothing was changed.");
}

Result<std::string> read_typed(std::string_view prompt, bool (*is_whole)(std::string_view)) {
  // First, as the answer may come at once.
  const QuietTerminal quiet;
  fmt::print(stderr, "{}", prompt);
  std::string text;
  for (char c = 0; std::cin.get(c) && c != kEndOfInput;) {
    if (c == kInterrupt) return given_up();
    text += c;
    if (text.size() > kInputLimitBytes) return too_much();
    if (c == '\n' && is_whole(text)) break;
  }
  return text;
}

void erase_last(std::string& text) {
  while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

Result<std::string> type_line(std::string_view prompt) {
  fmt::print(stderr, "{}: ", prompt);
  std::string line;
  for (char c = 0; std::cin.get(c) && c != '\n' && c != kEndOfInput;) {
    if (c == kInterrupt) return given_up();
    if (c == kBackspace || c == kDelete) {
      erase_last(line);
    } else if (c == kErase) {
      line.clear();
    } else {
      line += c;
    }
    if (line.size() > kInputLimitBytes) return too_much();
  }
  fmt::print(stderr, "\n");
  return line;
}

}  // namespace

Result<std::vector<std::string>> read_secrets(const std::vector<std::string>& prompts) {
  const bool is_person = !prompts.empty() && ::isatty(STDIN_FILENO) == 1;
  std::optional<QuietTerminal> quiet;  // One for all lines: at its end it drops what was not read.
  if (is_person) quiet.emplace();
  std::vector<std::string> lines;
  for (const std::string& prompt : prompts) {
    std::string line;
    if (is_person) {
      TRY(line, type_line(prompt));
    } else {
      std::getline(std::cin, line);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<std::string> read_terminal_input(std::string_view prompt,
                                        bool (*is_whole)(std::string_view)) {
  if (::isatty(STDIN_FILENO) == 1) return read_typed(prompt, is_whole);
  std::string text;
  for (char c = 0; std::cin.get(c);) {
    text += c;
    if (text.size() > kInputLimitBytes) return too_much();
  }
  return text;
}

Result<std::string> read_password(std::string prompt) {
  TRY(auto lines, read_secrets({std::move(prompt)}));
  if (!lines.front().empty()) return std::move(lines.front());
  return fail(ErrorCode::invalid, "Standard input has no password.");
}

void NamedFiles::read(const std::string& file) {
  Content& content = contents_[file];
  std::ifstream in(file, std::ios::binary);
  content.text.resize(kSmallFileBytes + 1);
  in.read(content.text.data(), static_cast<std::streamsize>(content.text.size()));
  if (!in.is_open() || in.bad()) content.error = std::strerror(errno);
  content.text.resize(static_cast<std::size_t>(in.gcount()));
}

Result<std::string> NamedFiles::text(const std::string& file, std::string_view what) const {
  const Content& content = contents_.at(file);
  if (!content.error.empty()) {
    return fail(ErrorCode::invalid, fmt::format("{} cannot be read: {}.", what, content.error));
  }
  if (content.text.size() > kSmallFileBytes) {
    return fail(ErrorCode::invalid, fmt::format("{} has more than 64 KB.", what));
  }
  if (content.text.empty()) return fail(ErrorCode::invalid, fmt::format("{} is empty.", what));
  return content.text;
}

}  // namespace coffer::app
