#pragma once

#include <boost/json/array.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

/// The output of commands. Only one thread may call these functions.
namespace coffer::app {

/// Prints a line to standard output.
void print(std::string_view line);
/// Flushes standard output. `failed`, with the reason, if any printed line could not be written.
Result<void> flush_output();

/// Makes `complain` and `warn` print JSON. An error has the same members as one of /api/v1.
void print_errors_as_json();

/// Prints a warning to standard error as one line.
void warn(std::string_view message);

/// Prints an error to standard error as one line. Returns the exit status 1.
int complain(const Error& error);
/// Prints an error as `complain(error)` does. Puts `thing` and a colon before the message, unless
/// the message begins with them.
int complain(std::string_view thing, const Error& error);
int complain(std::string_view message);

/// Returns the text as one line of UTF-8. Escapes control characters (`\x0a`). If the text is not
/// UTF-8, also escapes all bytes above 0x7f.
std::string printable(std::string_view text);

/// A table for people, with headings. Each column is as wide as its widest cell.
class Table {
 public:
  explicit Table(std::vector<std::string> heads);

  /// Adds a row with a cell for each heading.
  void add(std::vector<std::string> cells);
  /// Prints the table, unless it has no rows.
  void print() const;

 private:
  std::string line_of(const std::vector<std::string>& cells) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;  ///< In characters.
};

/// Prints `entries` if `json` is true, otherwise `table`. Returns the exit status 0.
int show_list(bool json, const boost::json::array& entries, const Table& table);

}  // namespace coffer::app
