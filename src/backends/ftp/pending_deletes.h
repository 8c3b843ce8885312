#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace coffer::ftp {

/// Partial files and trees that are to go, until one sweep deletes all that there are. Safe from
/// any thread.
class PendingDeletes {
 public:
  /// True if no sweep is to come yet, so that the caller has to begin one.
  bool add(std::string partial) {
    const std::lock_guard lock(mutex_);
    partials_.push_back(std::move(partial));
    return !std::exchange(sweeping_, true);
  }
  /// For the sweep: all that has come. What comes from now on needs another.
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    sweeping_ = false;
    return std::exchange(partials_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> partials_;
  bool sweeping_ = false;
};

}  // namespace coffer::ftp
