#include "backends/rclone/engine/spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/disk.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

constexpr int kFlags = O_RDWR | O_CLOEXEC;
constexpr mode_t kForUsAlone = S_IRUSR | S_IWUSR;

constexpr std::uint64_t kWindowBytes = 8 * 1024 * 1024;

int open_and_unlink(const std::filesystem::path& folder) {
  const auto file = folder / storage::partial_name();
  const int descriptor = ::open(file.c_str(), kFlags | O_CREAT | O_EXCL, kForUsAlone);
  if (descriptor >= 0) ::unlink(file.c_str());
  return descriptor;
}

std::unexpected<Error> spool_failure(int code, std::string message) {
  return std::unexpected(lack_of(code).value_or(Error{ErrorCode::failed, std::move(message)}));
}

/// Not every file system has files without a name: NFS has none.
int open_nameless(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), kFlags | O_TMPFILE, kForUsAlone);
  if (descriptor >= 0 || errno != EOPNOTSUPP) return descriptor;
  return open_and_unlink(folder);
}

}  // namespace

Result<std::shared_ptr<Spool>> Spool::open(const std::filesystem::path& folder) {
  const int descriptor = open_nameless(folder);
  if (descriptor < 0) {
    return spool_failure(errno, "The server has no place to collect the content.");
  }
  return std::shared_ptr<Spool>(new Spool(descriptor));
}

Spool::~Spool() {
  ::close(descriptor_);
}

Result<void> Spool::write(std::span<const std::byte> data) {
  int error = write_all(descriptor_, data, size_bytes_);
  size_bytes_ += data.size();
  if (error == 0) error = let_go();
  if (error == 0) return {};
  return spool_failure(error, "The server's disk takes no more.");
}

/// Window by window it goes to the disk, and one window later from memory.
int Spool::let_go() {
  for (; size_bytes_ - begun_bytes_ >= kWindowBytes; begun_bytes_ += kWindowBytes) {
    const auto at = static_cast<off64_t>(begun_bytes_);
    if (::sync_file_range(descriptor_, at, kWindowBytes, SYNC_FILE_RANGE_WRITE) != 0) return errno;
    if (at == 0) continue;
    const auto before = at - static_cast<off64_t>(kWindowBytes);
    // Memory has the only copy of what could not be written.
    if (::sync_file_range(descriptor_, before, kWindowBytes, SYNC_FILE_RANGE_WAIT_BEFORE) != 0) {
      return errno;
    }
    ::posix_fadvise(descriptor_, before, kWindowBytes, POSIX_FADV_DONTNEED);
  }
  return 0;
}

void Spool::read_on(std::uint64_t& ahead_bytes, std::uint64_t offset) const {
  for (; ahead_bytes < offset + 2 * kWindowBytes; ahead_bytes += kWindowBytes) {
    const auto at = static_cast<off_t>(ahead_bytes);
    ::posix_fadvise(descriptor_, at, kWindowBytes, POSIX_FADV_WILLNEED);
    // What was read last may still be under way.
    const auto behind = at - static_cast<off_t>(4 * kWindowBytes);
    if (behind >= 0) ::posix_fadvise(descriptor_, behind, kWindowBytes, POSIX_FADV_DONTNEED);
  }
}

}  // namespace coffer::rclone
