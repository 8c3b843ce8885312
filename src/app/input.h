#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::app {

/// Reads standard input to its end. On a terminal, reads up to the first end of a line at which
/// `is_whole(text)` is true, prints `prompt` to standard error, does not echo the text, and accepts
/// lines of any length. `invalid` if the person types Ctrl-C or the text is longer than 1 MiB.
Result<std::string> read_terminal_input(std::string_view prompt,
                                        bool (*is_whole)(std::string_view));

/// Reads a line of standard input for each prompt; missing lines are empty. On a terminal, prints
/// the prompts to standard error and does not echo the lines. `invalid` if the person types Ctrl-C
/// or a line longer than 1 MiB.
Result<std::vector<std::string>> read_secrets(const std::vector<std::string>& prompts);

/// Reads one line as `read_secrets` does; `invalid` also if the line is empty.
Result<std::string> read_password(std::string prompt);

/// Small files that the command line names. They are read with the rights of the user who gave the
/// command, before the process switches to the user who owns the data folder.
class NamedFiles {
 public:
  void read(const std::string& file);
  /// Returns the text of a file that was read. `invalid`, with the reason, if it could not be read,
  /// is empty, or is larger than 64 KiB; the message names the file as `what`.
  Result<std::string> text(const std::string& file, std::string_view what) const;

 private:
  struct Content {
    std::string text;
    std::string error;
  };
  std::map<std::string, Content> contents_;
};

}  // namespace coffer::app
