#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"
#include "backends/rclone/engine/rclone_instance.h"
#include "base/error.h"

namespace coffer::rclone {

/// The command of a child process. It sees these variables alone.
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

/// The limits after which rclone gives up on a drive. rclone's own limits are for whole transfers;
/// here its retries must not outlast a caller.
struct Patience {
  int tries = 5;  ///< The number of attempts at each request of the drive that fails.
  std::chrono::seconds connect{10};
  std::chrono::seconds idle{60};  ///< The limit without a byte from a connection.
};

struct RcloneOptions {
  std::filesystem::path folder;  ///< For its cache and temporary files; made if need be, 0700.
  std::string program = "rclone";
  /// `NAME=value`, beside what it always gets. It sees nothing of this program's environment.
  std::vector<std::string> environment = {};
  std::function<bool()> confine = {};  ///< See ChildCommand.
  std::optional<Error> obstacle = {};  ///< Set: it never starts, and says this.
  Patience patience = {};
};

/// Keeps one rclone as a child process (`rclone rcd`): started when it is first asked for, started
/// anew when it is asked for after it died, with a pause that grows when it dies soon, and ended
/// with this object, or with this program however that ends. Its configuration is in its memory
/// alone, its remote control listens on loopback and wants a random password. Safe from any thread.
class RcloneProcess {
 public:
  using Run = std::shared_ptr<const RcloneInstance>;

  explicit RcloneProcess(RcloneOptions options);
  ~RcloneProcess();
  RcloneProcess(const RcloneProcess&) = delete;
  RcloneProcess& operator=(const RcloneProcess&) = delete;

  /// Returns the run of the engine, started if need be. `unavailable` if rclone is missing, too
  /// old, does not start, or has to pause after it died.
  Task<Result<Run>> running();
  /// Returns the run of the engine, or null.
  Run current();
  /// Reports a run that could not be reached: running() checks it first, and waits for the next one
  /// if need be.
  void miss(std::uint64_t number);
  /// True once no process of that run exists any more.
  bool has_ended(std::uint64_t number);
  /// Ends it; running() fails from now on, and so does what is under way.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  void keep();
  void serve_once();
  Result<Run> begin(Child& child, const std::string& password);
  void watch(Child& child, const Run& run);
  bool is_missed();
  void announce(Result<Run> run);
  ChildCommand command(const std::string& password) const;
  bool is_ending();

  const RcloneOptions options_;
  std::mutex mutex_;
  std::condition_variable wanted_;
  Run run_;     ///< Null when none runs.
  Error last_;  ///< Why there is none.
  bool is_wanted_ = false;
  bool ending_ = false;
  std::vector<Resume> waiting_;
  std::uint64_t lives_ = 0;
  std::uint64_t ended_lives_ = 0;
  Clock::time_point not_before_{};
  Clock::duration pause_{};
  std::optional<std::jthread> keeper_;
};

}  // namespace coffer::rclone
