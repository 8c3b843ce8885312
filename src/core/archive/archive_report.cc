#include "core/archive/archive_report.h"

#include <fmt/format.h>

namespace coffer::core {
namespace {

constexpr std::size_t kMostBytes = 256 * 1024;

}  // namespace

void ArchiveReport::add(std::string_view name, std::string_view reason) {
  if (lines_.size() > kMostBytes) {
    ++untold_;
    return;
  }
  lines_ += fmt::format("{}: {}\n", name, reason);
}

std::string ArchiveReport::text() const {
  std::string text = "This archive lacks some of what was asked for:\n\n" + lines_;
  if (untold_ > 0) text += fmt::format("\nThere are {} more of them.\n", untold_);
  return text;
}

}  // namespace coffer::core
