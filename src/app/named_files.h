#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::app {

/// Small files that were named on the command line. They are read before anything else is done:
/// those who give a command may read other files than the user that it becomes.
class NamedFiles {
 public:
  void read(const std::string& file);
  /// All of a file that was read. `invalid`, with why, if it could not be, is empty or has more
  /// than 64 KiB; `what` is what the message calls it.
  Result<std::string> text(const std::string& file, std::string_view what) const;

 private:
  struct Content {
    std::string text;
    std::string error;
  };
  std::map<std::string, Content> contents_;
};

}  // namespace coffer::app
