#pragma once

#include <spdlog/spdlog.h>

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "backends/remote/server_path.h"

namespace coffer::remote {

/// Partial files and trees of one server that are to go, until a sweep (removal.h) deletes all that
/// there are. What the server does not answer for comes back, and waits for another. Safe from any
/// thread.
class Leftovers {
 public:
  /// Of more than can be kept the first is forgotten, and the log tells.
  void add(ServerPath partial) {
    const std::lock_guard lock(mutex_);
    partials_.push_back(std::move(partial));
    if (partials_.size() <= kMost) return;
    spdlog::warn("Something partial stays on a remote server: {}", partials_.front());
    partials_.erase(partials_.begin());
  }
  /// True if there are any and no sweep is to come yet, so that the caller has to begin one.
  bool claim() {
    const std::lock_guard lock(mutex_);
    return !partials_.empty() && !std::exchange(is_claimed_, true);
  }
  /// For the sweep: all that has come. What comes from now on needs another.
  std::vector<ServerPath> take() {
    const std::lock_guard lock(mutex_);
    is_claimed_ = false;
    return std::exchange(partials_, {});
  }

 private:
  static constexpr std::size_t kMost = 1000;

  std::mutex mutex_;
  std::vector<ServerPath> partials_;
  bool is_claimed_ = false;
};

}  // namespace coffer::remote
