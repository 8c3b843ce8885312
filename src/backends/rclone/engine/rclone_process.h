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

/// The command line and environment with which a child process is started.
struct ChildCommand {
  std::vector<std::string> arguments;    ///< The first is the program, searched for in PATH.
  std::vector<std::string> environment;  ///< All variables of the process, as `NAME=value`.
  /// Called in the child between fork and exec, where only system calls are safe. If it returns
  /// false, the program is not started.
  std::function<bool()> confine = {};
  std::uint64_t memory_bytes = 0;  ///< The most private memory (RLIMIT_DATA); 0 for no limit.
};

/// A child process. Its standard error is a pipe that `read_line` reads; its standard input and
/// output are /dev/null. The kernel kills the process when the thread that started it ends, so the
/// process never outlives this program. Only that thread may use this object.
class Child {
 public:
  /// Starts the command. `unavailable` if the program is not installed or cannot be started.
  static Result<Child> start(ChildCommand command);
  /// Kills the process if it still runs.
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  /// Waits up to `limit` for the next line of standard error, and returns it. Returns nullopt if no
  /// line came in time, or if standard error was closed; `ended` is true in the second case.
  std::optional<std::string> read_line(std::chrono::milliseconds limit);
  bool ended() const { return ended_; }
  /// Asks the process to end (SIGTERM), and kills it if it still runs after the time `patience`.
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

/// The limits after which rclone gives up a request to a drive. They are lower than rclone's
/// defaults, so that rclone does not retry long after the caller has given up.
struct Patience {
  int tries = 5;                     ///< The number of attempts at each request.
  std::chrono::seconds connect{10};  ///< The limit for connecting.
  std::chrono::seconds idle{60};     ///< The limit for a connection on which no byte arrives.
};

struct RcloneOptions {
  std::filesystem::path folder;  ///< For cache and temporary files; created if it is missing.
  std::string program = "rclone";
  /// Further environment variables, as `NAME=value`. rclone inherits only PATH from this program.
  std::vector<std::string> environment = {};
  std::function<bool()> confine = {};  ///< See ChildCommand.
  std::optional<Error> obstacle = {};  ///< If set, rclone never starts; calls fail with this error.
  Patience patience = {};
  /// An rclone whose run nobody has held for this time is ended.
  std::chrono::milliseconds unused_for = std::chrono::minutes(5);
};

/// The engine of cloud drives: runs rclone as a child process (`rclone rcd`). `running` starts
/// rclone if it does not run. If rclone dies soon after its start, the pause before the next start
/// grows. rclone ends when this object is destroyed, when nobody has used it for a while
/// (RcloneOptions::unused_for), and when this program ends for any reason. rclone keeps its
/// configuration only in memory. Its remote control listens on loopback and requires a random
/// password. Safe from any thread.
class RcloneProcess {
 public:
  /// Must be held during each use of the engine, so that it is not ended as unused.
  using Run = std::shared_ptr<const RcloneInstance>;

  explicit RcloneProcess(RcloneOptions options);
  ~RcloneProcess();
  RcloneProcess(const RcloneProcess&) = delete;
  RcloneProcess& operator=(const RcloneProcess&) = delete;

  /// Returns the current run of the engine. If there is none, starts rclone. `unavailable` if:
  /// - rclone is not installed, is too old, or does not start,
  /// - rclone died, and the pause before its next start is longer than three seconds.
  Task<Result<Run>> running();
  /// Returns the current run of the engine; null if it does not run.
  Run current();
  /// Must be called if the run `number` could not be reached. `running` then returns this run again
  /// only after a check that the engine still replies. If the check fails, the engine is stopped,
  /// and `running` waits for the next run.
  void miss(std::uint64_t number);
  /// Returns true if rclone runs.
  bool is_running();
  /// Returns true if somebody holds the run of an rclone, which then is not ended as unused.
  bool is_used();
  /// Returns true if the process of the run `number` has ended.
  bool has_ended(std::uint64_t number);
  /// Stops the engine. Requests in progress and later `running` calls fail.
  void request_end();
  /// Stops the engine as `request_end` does, and waits for its end.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  void keep();
  void serve_once();
  Result<RcloneInstance> begin(Child& child, const std::string& password);
  /// Returns true if it stopped watching because nobody uses the engine.
  bool watch(Child& child, const RcloneInstance& run);
  Run share_run();
  bool retire_if_unused();
  bool is_missed();
  void announce(const Result<RcloneInstance>& run);
  ChildCommand command(const std::string& password) const;
  bool is_ending();

  const RcloneOptions options_;
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::optional<RcloneInstance> run_;  ///< Unset if the engine does not run, or after `miss`.
  /// What `running` returns. Expired if nobody uses it.
  std::weak_ptr<const RcloneInstance> shared_run_;
  Clock::time_point used_at_{};
  Error last_;  ///< The reason why the engine does not run.
  bool is_wanted_ = false;
  bool ending_ = false;
  std::vector<Resume> waiting_;
  std::uint64_t lives_ = 0;        ///< The number of runs that began.
  std::uint64_t ended_lives_ = 0;  ///< The number of runs that ended.
  Clock::time_point not_before_{};
  Clock::duration pause_{};
  std::optional<std::jthread> keeper_;
};

}  // namespace coffer::rclone
