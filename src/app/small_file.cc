#include "app/small_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace coffer::app {
namespace {

constexpr std::size_t kLimitBytes = 64 * 1024;

struct Closing {
  explicit Closing(int opened) : descriptor(opened) {}
  ~Closing() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

  const int descriptor;
};

std::unexpected<Error> unreadable(std::string_view what) {
  return fail(ErrorCode::invalid,
              fmt::format("{} cannot be read: {}.", what, std::strerror(errno)));
}

}  // namespace

Result<std::string> read_small_file(const std::string& file, std::string_view what) {
  const Closing opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.descriptor < 0) return unreadable(what);
  std::string text(kLimitBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const auto got = ::read(opened.descriptor, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(what);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  if (size > kLimitBytes) {
    return fail(ErrorCode::invalid, fmt::format("{} has more than 64 KiB.", what));
  }
  if (text.empty()) return fail(ErrorCode::invalid, fmt::format("{} is empty.", what));
  return text;
}

}  // namespace coffer::app
