#include "app/output.h"

#include <fmt/format.h>
#include <stdio_ext.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "base/text.h"

namespace coffer::app {
namespace {

constexpr std::size_t kGap = 2;  ///< Between the columns of a table.

bool errors_are_json = false;
int output_error = 0;  ///< The first that standard output had.

void note_output_error(bool is_written) {
  if (!is_written && output_error == 0) output_error = errno;
}

/// JSON is UTF-8, which a message that quotes a file's name may not be.
boost::json::string json_text(std::string_view text) {
  return is_utf8(text) ? boost::json::string(text) : boost::json::string(printable(text));
}

void print_error(const std::string& line) {
  const std::string whole = line + '\n';
  std::fwrite(whole.data(), 1, whole.size(), stderr);  // There is no other place to say it.
}

}  // namespace

void print(std::string_view line) {
  const std::string whole = std::string(line) + '\n';
  note_output_error(std::fwrite(whole.data(), 1, whole.size(), stdout) == whole.size());
}

Result<void> flush_output() {
  note_output_error(std::fflush(stdout) == 0);
  const int error = std::exchange(output_error, 0);
  if (error == 0) return {};
  __fpurge(stdout);  // It would be tried again.
  return fail(ErrorCode::failed,
              fmt::format("The output cannot be written: {}.", std::strerror(error)));
}

void print_errors_as_json() {
  errors_are_json = true;
}

void warn(std::string_view message) {
  print_error(errors_are_json
                  ? boost::json::serialize(boost::json::object{{"warning", json_text(message)}})
                  : fmt::format("coffer: {}", printable(message)));
}

int complain(const Error& error) {
  return complain(error.message);
}

int complain(std::string_view thing, const Error& error) {
  const std::string prefix = fmt::format("{}: ", thing);
  // Messages of mounts begin with the name already.
  return complain(error.message.starts_with(prefix) ? error.message : prefix + error.message);
}

int complain(std::string_view message) {
  print_error(errors_are_json ? boost::json::serialize(boost::json::object{
                                    {"success", false}, {"error", json_text(message)}})
                              : fmt::format("coffer: {}", printable(message)));
  return 1;
}

std::string printable(std::string_view text) {
  std::string out;
  const bool utf8 = is_utf8(text);
  bool is_second = false;  // Of the two bytes of a control character from U+0080 to U+009F.
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_first = byte == 0xC2 && has_control_character(text.substr(i, 2));
    const bool is_plain = byte >= 0x20 && byte != 0x7F && (byte < 0x80 || utf8);
    out += is_plain && !is_first && !is_second ? std::string(1, text[i])
                                               : fmt::format("\\x{:02x}", byte);
    is_second = is_first;
  }
  return out;
}

Table::Table(std::vector<std::string> heads) : widths_(heads.size()) {
  add(std::move(heads));
}

void Table::add(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    cells.at(i) = printable(cells.at(i));
    widths_[i] = std::max(widths_[i], count_characters(cells[i]));
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

int show_list(bool json, const boost::json::array& entries, const Table& table) {
  if (json) {
    print(boost::json::serialize(entries));
  } else {
    table.print();
  }
  return 0;
}

}  // namespace coffer::app
