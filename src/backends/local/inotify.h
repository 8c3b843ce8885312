#pragma once

#include <sys/inotify.h>

#include <cstdint>
#include <expected>
#include <functional>
#include <string_view>

#include "backends/local/handle.h"

namespace coffer::local {

/// One instance of inotify(7), of which a process has few. Safe from any thread, but for `read`,
/// which is for one.
class Inotify {
 public:
  /// An errno where there is none left.
  static std::expected<Inotify, int> open();

  /// Watches the open folder, whatever its path is then; the descriptor of the watch, the same for
  /// each call on one folder. An errno where it cannot be watched.
  std::expected<int, int> add(int folder) const;
  void remove(int watch) const;

  struct Event {
    int watch;  ///< -1: the kernel's queue was full, and others are lost.
    std::uint32_t mask;
    std::string_view name;  ///< Of the item in the folder; empty if it is the folder itself.
  };
  /// Hands over what has come, up to some thousands of events. Does not wait.
  void read(const std::function<void(const Event&)>& take) const;
  int descriptor() const { return handle_.get(); }

 private:
  explicit Inotify(Handle handle) : handle_(std::move(handle)) {}
  Handle handle_;
};

}  // namespace coffer::local
