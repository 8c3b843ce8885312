#pragma once

#include <boost/json/array.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

/// The output of commands. Not safe from several threads.
namespace coffer::app {

/// Prints a line to standard output.
void print(std::string_view line);
/// Flushes standard output. `failed`, with the reason, if a printed line could not be written.
Result<void> flush_output();

/// From now on prints errors and warnings as JSON. An error has the members of the API's errors.
void print_errors_as_json();

/// Prints a warning to standard error as one line.
void warn(std::string_view message);

/// Prints an error to standard error as one line. Returns the exit status 1.
int complain(const Error& error);
/// Prints an error as `complain(error)` does, with `thing` before the message.
int complain(std::string_view thing, const Error& error);
int complain(std::string_view message);

/// Returns the text as one line of UTF-8: bytes that a terminal cannot show are escaped (`\xff`).
std::string printable(std::string_view text);

/// A list for people: columns with headings, each column as wide as its widest cell.
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

/// Prints a list as JSON or as a table. Returns the exit status 0.
int show_list(bool json, const boost::json::array& entries, const Table& table);

}  // namespace coffer::app
