#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::rclone {

/// What a child process is made of. It sees no variable but these.
struct ChildCommand {
  std::vector<std::string> arguments;  ///< The first is the program, looked for along PATH.
  std::vector<std::string> environment;
  /// Called in the child before it becomes the program: system calls alone. False ends it.
  std::function<bool()> confine = {};
};

/// A process with its standard error as a pipe, without standard input and output. The kernel kills
/// it when the thread that started it ends, so that it never outlives this program. Used by that
/// thread alone, except where it says otherwise.
class Child {
 public:
  /// `unavailable` if there is no such program or it cannot be started.
  static Result<Child> start(const ChildCommand& command);
  /// Kills it if it still runs.
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  /// The next line of its standard error, waiting up to `limit`; nothing when that has passed or
  /// there will be no more, which `ended` tells.
  std::optional<std::string> read_line(std::chrono::milliseconds limit);
  bool ended() const { return ended_; }
  /// Asks it to end, and kills it when it has not after `patience`.
  void stop(std::chrono::milliseconds patience);
  pid_t id() const { return id_; }

 private:
  Child(pid_t id, int errors) : id_(id), errors_(errors) {}
  std::optional<std::string> take_line();
  void reap();

  pid_t id_ = -1;
  int errors_ = -1;
  bool ended_ = false;
  std::string text_;
};

}  // namespace coffer::rclone
