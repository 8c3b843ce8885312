#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include "backends/local/copy_tree.h"
#include "backends/local/errno_error.h"

namespace coffer::local {
namespace {

constexpr std::size_t kSmallBytes = 64 * 1024;
constexpr std::size_t kStepBytes = 16 * 1024 * 1024;

std::unexpected<Error> fail_over_limit() {
  return fail(ErrorCode::over_quota, "The storage quota would be exceeded.");
}

int write_all(int target, std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t count = ::write(target, data.data(), data.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    data = data.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

/// Through memory: the quickest way for small files, and one that every file system has.
Result<std::uint64_t> copy_bytes(int source, int target, std::uint64_t limit_bytes) {
  std::array<std::byte, kSmallBytes> buffer;
  std::uint64_t total = 0;
  for (;;) {
    const ssize_t count = ::read(source, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with(errno);
    if (count == 0) return total;
    total += static_cast<std::uint64_t>(count);
    if (total > limit_bytes) return fail_over_limit();
    const std::span data(buffer.data(), static_cast<std::size_t>(count));
    if (const int error = write_all(target, data); error != 0) return fail_with(error);
    // A short read of a small file is its end; asking again would double the calls.
    if (data.size() < buffer.size() && total < kSmallBytes) return total;
  }
}

/// In the kernel, by sharing blocks where the file system can; nothing when it cannot do either.
Result<std::optional<std::uint64_t>> copy_in_kernel(int source, int target,
                                                    std::uint64_t limit_bytes) {
  if (::ioctl(target, FICLONE, source) == 0) {
    const auto status = status_of(target, kSizeMask);
    if (!status) return fail_with(status.error());
    if (status->stx_size > limit_bytes) return fail_over_limit();
    return status->stx_size;
  }
  std::uint64_t total = 0;
  for (;;) {
    const ssize_t count = ::copy_file_range(source, nullptr, target, nullptr, kStepBytes, 0);
    if (count == 0) return total;
    if (count < 0) {
      const bool unable =
          errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
      if (unable && total == 0) return std::nullopt;
      return fail_with(errno);
    }
    total += static_cast<std::uint64_t>(count);
    if (total > limit_bytes) return fail_over_limit();
  }
}

Result<std::uint64_t> copy_content(int source, const Status& status, int target,
                                   std::uint64_t limit_bytes) {
  if (status.stx_size > limit_bytes) return fail_over_limit();
  if (status.stx_size >= kSmallBytes) {
    const auto copied = copy_in_kernel(source, target, limit_bytes);
    if (!copied) return failure_of(copied);
    if (copied->has_value()) return **copied;
  }
  return copy_bytes(source, target, limit_bytes);
}

}  // namespace

Result<std::uint64_t> copy_file(int source, const Status& status, int folder, const char* name,
                                std::uint64_t limit_bytes) {
  const mode_t mode = status.stx_mode & 0777;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  // The staging folder keeps others out, so the permissions may be there from the start.
  const Handle target(::openat(folder, name, kFlags, mode));
  if (!target) return fail_with(errno);
  const auto copied = copy_content(source, status, target.get(), limit_bytes);
  if (!copied) return copied;
  const timespec times[2] = {{0, UTIME_OMIT}, {status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec}};
  if (::futimens(target.get(), times) != 0) return fail_with(errno);
  return copied;
}

}  // namespace coffer::local
