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
/// `failed` with why, unless all that was printed since the last call has been written.
Result<void> flush_output();

/// Errors and warnings are printed as JSON from now on, errors with the members of the API's.
void print_errors_as_json();

/// Prints something to know about to standard error, as one line.
void warn(std::string_view message);

/// Prints an error as one clear line to standard error; the exit status to return with it.
int complain(const Error& error);
/// The same, saying first which thing it is about.
int complain(std::string_view thing, const Error& error);
int complain(std::string_view message);

/// A text with what a terminal could not show spelled out, as `\xff`: always UTF-8 of one line.
std::string printable(std::string_view text);

/// A list for people: columns with heads, as wide as their widest cell. Programs ask for JSON.
class Table {
 public:
  explicit Table(std::vector<std::string> heads);

  /// As many cells as there are heads.
  void add(std::vector<std::string> cells);
  /// Prints it, unless no row was added.
  void print() const;

 private:
  std::string line_of(const std::vector<std::string>& cells) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;  ///< In characters.
};

/// Prints a list as JSON or as its table; 0.
int show_list(bool json, const boost::json::array& entries, const Table& table);

}  // namespace coffer::app
