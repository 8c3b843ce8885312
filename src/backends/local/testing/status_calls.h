#pragma once

#include <sys/stat.h>

#include <functional>
#include <string_view>

namespace coffer::local {

/// For tests: stands between the program and its looks at items while it lives. One at a time.
class StatusCalls {
 public:
  /// Called after each statx(2) of an item by its name that succeeded; may change what it found.
  using Hook = std::function<void(std::string_view name, struct ::statx& status)>;

  explicit StatusCalls(Hook hook);
  ~StatusCalls();
  StatusCalls(const StatusCalls&) = delete;
  StatusCalls& operator=(const StatusCalls&) = delete;
};

}  // namespace coffer::local
