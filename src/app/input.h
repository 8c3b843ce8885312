#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::app {

/// Reads standard input: to its end, or on a terminal until a line ends and `is_whole(text)` is
/// true. A terminal shows `prompt` on standard error, does not echo the text, and takes lines of
/// any length. `invalid` if the person gives up or the text is too long.
Result<std::string> read_terminal_input(std::string_view prompt,
                                        bool (*is_whole)(std::string_view));

/// Reads a line of standard input for each prompt; missing lines are empty. A terminal shows the
/// prompts on standard error and does not echo. `invalid` as above.
Result<std::vector<std::string>> read_secrets(const std::vector<std::string>& prompts);

/// Reads one line in the same way; `invalid` if it is empty.
Result<std::string> read_password(std::string prompt);

/// Small files that the command line names. They are read first, with the rights of the user who
/// gave the command, before the process becomes the owner of the data folder.
class NamedFiles {
 public:
  void read(const std::string& file);
  /// Returns the text of a file that was read. `invalid`, with the reason, if it could not be read,
  /// is empty, or is larger than 64 KiB; the message calls the file `what`.
  Result<std::string> text(const std::string& file, std::string_view what) const;

 private:
  struct Content {
    std::string text;
    std::string error;
  };
  std::map<std::string, Content> contents_;
};

}  // namespace coffer::app
