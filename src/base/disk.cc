#include "base/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>
#include <system_error>

namespace coffer {
namespace {

/// Linux caches the data of one write in a block of memory of its size, if the file system can.
/// Each processor keeps free blocks of up to this size; larger ones come from memory that a virtual
/// machine may have returned to its host, and getting it back takes longer than everything else
/// (docs/performance.md).
constexpr std::size_t kPieceBytes = 32 * 1024;

std::unexpected<Error> cannot_open(const std::filesystem::path& folder, int code) {
  if (const auto lack = lack_of(code)) return std::unexpected(*lack);
  const auto kind = code == ENOENT ? ErrorCode::not_found : ErrorCode::failed;
  return fail(kind, fmt::format("The folder {} cannot be opened: {}.", folder.string(),
                                std::strerror(code)));
}

/// Where the link leads, from the folder that it is in; asked of the link itself, which another one
/// may replace meanwhile. Empty if it is none, or another user's.
std::string trusted_target(int link) {
  struct stat status{};
  if (::fstat(link, &status) != 0 || !S_ISLNK(status.st_mode)) return {};
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) return {};
  std::array<char, PATH_MAX> target;
  const ssize_t size = ::readlinkat(link, "", target.data(), target.size());
  return size < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(size));
}

}  // namespace

int write_all(int descriptor, std::span<const std::byte> data, std::uint64_t offset) {
  while (!data.empty()) {
    const std::size_t piece =
        std::min<std::size_t>(data.size(), kPieceBytes - offset % kPieceBytes);
    const ssize_t count = ::write(descriptor, data.data(), piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    data = data.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

bool sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_synced = ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return is_synced;
}

bool sync_new_folder(const std::filesystem::path& folder) {
  const auto above = folder.has_parent_path() ? folder.parent_path() : std::filesystem::path(".");
  return sync_folder(folder) && sync_folder(above);
}

Result<int> open_trusted_folder(const std::filesystem::path& folder) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const int straight = ::open(folder.c_str(), kFlags | O_NOFOLLOW);
  if (straight >= 0) return straight;
  if (errno != ENOTDIR && errno != ELOOP) return cannot_open(folder, errno);
  const int link = ::open(folder.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (link < 0) return cannot_open(folder, errno);
  struct stat status{};
  const bool is_link = ::fstat(link, &status) == 0 && S_ISLNK(status.st_mode);
  const std::string target = trusted_target(link);
  ::close(link);
  if (!is_link) return cannot_open(folder, ENOTDIR);
  if (target.empty()) {
    return fail(ErrorCode::forbidden,
                fmt::format("{} is a link that another user made: remove it.", folder.string()));
  }
  const int followed = ::open((folder.parent_path() / target).c_str(), kFlags);
  if (followed >= 0) return followed;
  return cannot_open(folder, errno);
}

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) == 0 && sync_new_folder(folder)) return {};
  if (errno == EEXIST && std::filesystem::is_directory(folder, error)) return {};
  if (errno == EEXIST) {
    return fail(ErrorCode::failed, fmt::format("{} is not a folder.", folder.string()));
  }
  return fail(ErrorCode::failed, fmt::format("The folder {} cannot be made: {}.", folder.string(),
                                             std::strerror(errno)));
}

}  // namespace coffer
