#include "app/small_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace coffer::app {
namespace {

constexpr std::size_t kSmallFileBytes = 64 * 1024;

}  // namespace

Result<std::string> read_small_file(const std::string& file, std::string_view what) {
  std::ifstream in(file, std::ios::binary);
  std::string text(kSmallFileBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) {
    return fail(ErrorCode::invalid,
                fmt::format("{} cannot be read: {}.", what, std::strerror(errno)));
  }
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kSmallFileBytes) {
    return fail(ErrorCode::invalid, fmt::format("{} has more than 64 KiB.", what));
  }
  if (text.empty()) return fail(ErrorCode::invalid, fmt::format("{} is empty.", what));
  return text;
}

}  // namespace coffer::app
