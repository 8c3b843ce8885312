#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::app {

/// Reads standard input to its end. If it is a terminal, prints `prompt` to standard error, does
/// not echo the text, and accepts lines longer than a terminal's usual limit of 4095 bytes. On a
/// terminal, calls `is_whole` with the text so far after each line, and stops reading when it
/// returns true. `invalid` if the user types Ctrl-C or the text is longer than 1 MiB.
Result<std::string> read_terminal_input(std::string_view prompt,
                                        bool (*is_whole)(std::string_view));

/// Reads one line of standard input for each prompt. If standard input has fewer lines, the missing
/// lines are empty. If it is a terminal, prints the prompts to standard error and does not echo the
/// lines. `invalid` if the user types Ctrl-C or a line longer than 1 MiB.
Result<std::vector<std::string>> read_secrets(const std::vector<std::string>& prompts);

/// Reads one line as `read_secrets` does; `invalid` also if the line is empty.
Result<std::string> read_password(std::string prompt);

/// The contents of small files that the command line names. Call `read` before the process switches
/// to the owner of the data folder, so that the files are read with the rights of the user who ran
/// the command.
class NamedFiles {
 public:
  /// Reads a file. If this fails, `text` returns the error.
  void read(const std::string& file);
  /// Returns the text of a file for which `read` was called. `invalid` if the file could not be
  /// read, is empty, or is larger than 64 KiB. The message begins with `what` as the file's name.
  Result<std::string> text(const std::string& file, std::string_view what) const;

 private:
  struct Content {
    std::string text;
    std::string error;
  };
  std::map<std::string, Content> contents_;
};

}  // namespace coffer::app
