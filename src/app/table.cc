#include "app/table.h"

#include <algorithm>
#include <utility>

#include "app/output.h"
#include "base/text.h"

namespace coffer::app {
namespace {

constexpr std::size_t kGap = 2;

}  // namespace

Table::Table(std::vector<std::string> heads) : widths_(heads.size()) {
  add(std::move(heads));
}

void Table::add(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    widths_[i] = std::max(widths_[i], count_characters(cells.at(i)));
  }
  rows_.push_back(std::move(cells));
}

void Table::print() const {
  if (rows_.size() == 1) return;  // The heads alone.
  for (const auto& row : rows_) app::print(line_of(row));
}

std::string Table::line_of(const std::vector<std::string>& cells) const {
  std::string line;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].empty()) {
      line.append(missing, ' ');
      line += cells[i];
      missing = 0;
    }
    missing += widths_[i] - count_characters(cells[i]) + kGap;
  }
  return line;
}

}  // namespace coffer::app
