#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coffer::app {

/// What a command lists for people: columns with heads, as wide as what is in them. Programs ask
/// for JSON.
class Table {
 public:
  explicit Table(std::vector<std::string> heads);

  /// As many cells as there are heads.
  void add(std::vector<std::string> cells);
  /// Prints it; nothing where nothing was added.
  void print() const;

 private:
  std::string line_of(const std::vector<std::string>& cells) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;  ///< In characters.
};

}  // namespace coffer::app
