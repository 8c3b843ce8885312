#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"
#include "backends/rclone/engine/child.h"
#include "backends/rclone/engine/rclone_instance.h"
#include "base/error.h"

namespace coffer::rclone {

struct RcloneOptions {
  std::filesystem::path folder;  ///< For its cache and temporary files; made if need be, 0700.
  std::string program = "rclone";
  /// `NAME=value`, beside what it always gets. It sees nothing of this program's environment.
  std::vector<std::string> environment = {};
  std::function<bool()> confine = {};  ///< See ChildCommand.
  std::optional<Error> obstacle = {};  ///< Set: it never starts, and says this.
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

  /// The life that runs, begun if need be. `unavailable` if rclone is missing, too old, does not
  /// start, or is to stay away for a moment after it died.
  Task<Result<Run>> running();
  /// The life that runs, or null.
  Run current();
  /// To be called when the life of that number could not be reached: running() waits until it is
  /// looked at, and for the next one if need be.
  void miss(std::uint64_t number);
  /// True once nothing of that life runs any more.
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
