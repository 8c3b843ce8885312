#include "backends/local/inotify.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>

namespace coffer::local {
namespace {

/// A file that is written counts when its writer closes it: each write would be an event.
constexpr std::uint32_t kChanges = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                   IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;

constexpr std::size_t kBufferBytes = 16 * 1024;
constexpr int kMostReads = 16;

}  // namespace

std::expected<Inotify, int> Inotify::open() {
  Handle handle(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!handle) return std::unexpected(errno);
  return Inotify(std::move(handle));
}

// The link leads to the open folder itself, so no path is followed again.
std::expected<int, int> Inotify::add(int folder) const {
  const std::string link = "/proc/self/fd/" + std::to_string(folder);
  const int watch = ::inotify_add_watch(handle_.get(), link.c_str(), kChanges | IN_ONLYDIR);
  if (watch < 0) return std::unexpected(errno);
  return watch;
}

void Inotify::remove(int watch) const {
  ::inotify_rm_watch(handle_.get(), watch);
}

void Inotify::read(const std::function<void(const Event&)>& take) const {
  alignas(inotify_event) std::array<char, kBufferBytes> buffer;
  for (int count = 0; count < kMostReads; ++count) {
    const ssize_t got = ::read(handle_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      // The name ends with its first zero.
      const std::string_view name = event->len > 0 ? std::string_view(event->name) : "";
      take({event->wd, event->mask, name});
      at += sizeof(inotify_event) + event->len;
    }
  }
}

}  // namespace coffer::local
