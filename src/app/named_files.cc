#include "app/named_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace coffer::app {
namespace {

constexpr std::size_t kSmallFileBytes = 64 * 1024;

}  // namespace

void NamedFiles::read(const std::string& file) {
  Content& content = contents_[file];
  std::ifstream in(file, std::ios::binary);
  content.text.resize(kSmallFileBytes + 1);
  in.read(content.text.data(), static_cast<std::streamsize>(content.text.size()));
  if (!in.is_open() || in.bad()) content.error = std::strerror(errno);
  content.text.resize(static_cast<std::size_t>(in.gcount()));
}

Result<std::string> NamedFiles::text(const std::string& file, std::string_view what) const {
  const Content& content = contents_.at(file);
  if (!content.error.empty()) {
    return fail(ErrorCode::invalid, fmt::format("{} cannot be read: {}.", what, content.error));
  }
  if (content.text.size() > kSmallFileBytes) {
    return fail(ErrorCode::invalid, fmt::format("{} has more than 64 KiB.", what));
  }
  if (content.text.empty()) return fail(ErrorCode::invalid, fmt::format("{} is empty.", what));
  return content.text;
}

}  // namespace coffer::app
