#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace coffer::ftp {

/// Partial files and trees that are to go, until one sweep deletes all that there are. Safe from
/// any thread.
class PendingDeletes {
 public:
  /// True if no sweep is to come yet, so that the caller has to begin one.
  bool add(std::string partial);
  /// For the sweep: all that has come. What comes from now on needs another.
  std::vector<std::string> take();

 private:
  std::mutex mutex_;
  std::vector<std::string> partials_;
  bool sweeping_ = false;
};

}  // namespace coffer::ftp
