#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "backends/rclone/door.h"
#include "backends/rclone/engine.h"
#include "base/error.h"

namespace coffer::app {

/// The rclone that serves this process's drives, and where it fetches what it uploads; made when
/// they are first asked for. Safe from any thread.
class DriveEngines {
 public:
  /// All of it keeps its files below `folder`.
  explicit DriveEngines(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~DriveEngines() { end(); }
  DriveEngines(const DriveEngines&) = delete;
  DriveEngines& operator=(const DriveEngines&) = delete;

  struct Parts {
    rclone::Engine& engine;
    rclone::Door& door;
    std::filesystem::path spool;  ///< For content whose size is not known yet.
  };
  /// They live as long as this does. `failed` if the folder cannot be made.
  Result<Parts> get();
  /// Ends what runs, and with it what is under way; nothing is started any more.
  void end();

 private:
  const std::filesystem::path folder_;
  std::mutex mutex_;
  std::unique_ptr<rclone::Engine> engine_;
  std::unique_ptr<rclone::Door> door_;  ///< What is under way in it uses the engine.
};

}  // namespace coffer::app
