#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::app {

/// Reads standard input: to its end, or on a terminal until a line ends and `is_whole` says so of
/// the text, without showing it and however long its lines are. A person at a terminal is shown
/// `prompt` before, on standard error. `invalid` if a person gives up or there is too much.
Result<std::string> read_terminal_input(std::string_view prompt,
                                        bool (*is_whole)(std::string_view));

/// Reads a line of standard input for each prompt; those that it does not have are empty. A person
/// at a terminal sees the prompts, on standard error, and what is typed does not show. `invalid`
/// as above.
Result<std::vector<std::string>> read_secrets(const std::vector<std::string>& prompts);

/// The same for one, which is not empty.
Result<std::string> read_password(std::string prompt);

/// Small files that were named on the command line. They are read before anything else is done:
/// who gives a command may read other files than the user that the command becomes.
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
