#include "backends/local/open_beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <cerrno>
#include <climits>
#include <string_view>

namespace coffer::local {
namespace {

/// The kernel answers EAGAIN when a rename elsewhere raced with a `..` in a link; it is to be asked
/// again, but not for ever.
constexpr int kTries = 1000;

Opened open_piece(int folder, const char* path, std::uint64_t flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | resolve;
  for (int attempt = 1;; ++attempt) {
    const long descriptor = ::syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor >= 0) return Handle(static_cast<int>(descriptor));
    if (errno == EINTR) continue;
    const bool raced = errno == EAGAIN && (resolve & RESOLVE_CACHED) == 0;
    if (!raced || attempt == kTries) return std::unexpected(errno);
  }
}

}  // namespace

Opened open_beneath(int folder, const std::string& path, std::uint64_t flags,
                    std::uint64_t resolve) {
  if (path.empty()) return open_piece(folder, ".", flags, resolve);
  std::string_view rest = path;
  Handle reached;
  while (rest.size() >= PATH_MAX) {
    const auto cut = rest.rfind('/', PATH_MAX - 1);
    if (cut == std::string_view::npos) return std::unexpected(ENAMETOOLONG);
    const std::string piece(rest.substr(0, cut));
    Opened next = open_piece(folder, piece.c_str(), O_PATH | O_DIRECTORY, resolve);
    if (!next) return next;
    reached = std::move(*next);
    folder = reached.get();
    rest.remove_prefix(cut + 1);
  }
  // The rest of a string is terminated as the string is.
  return open_piece(folder, rest.data(), flags, resolve);
}

}  // namespace coffer::local
