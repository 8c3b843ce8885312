#include "backends/local/handle.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <string_view>

#include "backends/local/errno_error.h"

namespace coffer::local {
namespace {

/// The kernel answers EAGAIN when a rename elsewhere raced with a `..` in a link; it is to be asked
/// again, but not for ever.
constexpr int kRacedTries = 1000;
/// It answers EXDEV for a link that leaves, and for an item that was moved out from beneath the
/// folder during the look-up, as one that is being replaced. The second look tells them apart.
constexpr int kLeavingTries = 10;

/// How often a look-up that failed like this is worth making.
int tries_for(int error, std::uint64_t resolve) {
  if ((resolve & RESOLVE_CACHED) != 0) return 1;
  if (error == EAGAIN) return kRacedTries;
  return error == EXDEV ? kLeavingTries : 1;
}

Opened open_piece(int folder, const char* path, std::uint64_t flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | resolve;
  for (int attempt = 1;; ++attempt) {
    const long descriptor = ::syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor >= 0) return Handle(static_cast<int>(descriptor));
    if (errno == EINTR) continue;
    if (attempt >= tries_for(errno, resolve)) return std::unexpected(errno);
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

Handle open_whole(const std::filesystem::path& path, std::uint64_t flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = flags | O_DIRECTORY | O_CLOEXEC;
  how.resolve = resolve;
  return Handle(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

Result<std::size_t> read_from(const Handle& file, std::uint64_t offset, std::span<std::byte> out) {
  for (;;) {
    const auto count = ::pread(file.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return fail_with(errno);
  }
}

Result<std::string> fd_path(int folder) {
  const std::string link = "/proc/self/fd/" + std::to_string(folder);
  std::array<char, PATH_MAX> path;
  const ssize_t count = ::readlink(link.c_str(), path.data(), path.size());
  if (count < 0) return fail_with(errno);
  if (count == static_cast<ssize_t>(path.size())) return fail_with(ENAMETOOLONG);
  return std::string(path.data(), static_cast<std::size_t>(count));
}

Result<std::string> path_from(int top, int folder, std::string_view name) {
  TRY(auto above, fd_path(top));
  const auto place = fd_path(folder);
  if (!place) return failure_of(place);
  if (above == "/") above.clear();
  // Both may be moved between the two looks; then the folder is not where it was asked for.
  if (!place->starts_with(above)) return fail_with(ENOENT);
  std::string path = place->substr(above.size());
  if (!path.empty() && path.front() != '/') return fail_with(ENOENT);
  path += '/';
  path += name;
  return path.substr(1);
}

bool is_at_or_beneath(std::string_view path, std::string_view top) {
  if (!path.starts_with(top)) return false;
  return path.size() == top.size() || top.empty() || path[top.size()] == '/';
}

Handle open_top(const std::filesystem::path& folder) {
  return Handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace coffer::local
