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
#include "base/over_quota.h"
#include "base/write_all.h"

namespace coffer::local {
namespace {

constexpr std::size_t kSmallBytes = 64 * 1024;
/// Between two steps the copy may be stopped.
constexpr std::size_t kStepBytes = 16 * 1024 * 1024;

/// One file's content on its way.
class ContentCopy {
 public:
  ContentCopy(int source, int target, std::uint64_t limit_bytes, storage::CopyWatch& watch)
      : source_(source), target_(target), limit_(limit_bytes), watch_(watch) {}

  /// Through memory: the quickest way for small files, and one that every file system has.
  Result<std::uint64_t> through_memory();
  /// In the kernel, by sharing blocks where the file system can; nothing when it cannot do either.
  Result<std::optional<std::uint64_t>> in_kernel();

 private:
  Result<std::uint64_t> by_sharing();
  Result<void> add(std::uint64_t bytes);

  const int source_;
  const int target_;
  const std::uint64_t limit_;
  storage::CopyWatch& watch_;
  std::uint64_t total_ = 0;
};

Result<void> ContentCopy::add(std::uint64_t bytes) {
  total_ += bytes;
  if (total_ > limit_) return fail_over_quota();
  watch_.wrote(bytes);
  return go_on(watch_);
}

Result<std::uint64_t> ContentCopy::through_memory() {
  std::array<std::byte, kSmallBytes> buffer;
  for (;;) {
    const ssize_t count = ::read(source_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with(errno);
    if (count == 0) return total_;
    const std::span data(buffer.data(), static_cast<std::size_t>(count));
    if (const int error = write_all(target_, data); error != 0) return fail_with(error);
    if (auto added = add(data.size()); !added) return failure_of(added);
    // A short read of a small file is its end; asking again would double the calls.
    if (data.size() < buffer.size() && total_ < kSmallBytes) return total_;
  }
}

Result<std::optional<std::uint64_t>> ContentCopy::in_kernel() {
  if (::ioctl(target_, FICLONE, source_) == 0) return by_sharing();
  for (;;) {
    const ssize_t count = ::copy_file_range(source_, nullptr, target_, nullptr, kStepBytes, 0);
    if (count == 0) return total_;
    if (count < 0) {
      const bool unable =
          errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
      if (unable && total_ == 0) return std::nullopt;
      return fail_with(errno);
    }
    auto added = add(static_cast<std::uint64_t>(count));
    if (!added) return failure_of(added);
  }
}

/// It is done; only its size is not known.
Result<std::uint64_t> ContentCopy::by_sharing() {
  const auto status = status_of(target_, kSizeMask);
  if (!status) return fail_with(status.error());
  if (auto added = add(status->stx_size); !added) return failure_of(added);
  return total_;
}

Result<std::uint64_t> copy_content(int source, const Status& status, int target,
                                   std::uint64_t limit_bytes, storage::CopyWatch& watch) {
  if (status.stx_size > limit_bytes) return fail_over_quota();
  ContentCopy copy(source, target, limit_bytes, watch);
  if (status.stx_size >= kSmallBytes) {
    const auto copied = copy.in_kernel();
    if (!copied) return failure_of(copied);
    if (copied->has_value()) return **copied;
  }
  return copy.through_memory();
}

}  // namespace

Result<std::uint64_t> copy_file(int source, const Status& status, int folder, const char* name,
                                std::uint64_t limit_bytes, storage::CopyWatch& watch) {
  const mode_t mode = status.stx_mode & 0777;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  // The staging folder keeps others out, so the permissions may be there from the start.
  const Handle target(::openat(folder, name, kFlags, mode));
  if (!target) return fail_with(errno);
  const auto copied = copy_content(source, status, target.get(), limit_bytes, watch);
  if (!copied) return copied;
  const timespec times[2] = {{0, UTIME_OMIT}, {status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec}};
  if (::futimens(target.get(), times) != 0) return fail_with(errno);
  watch.completed_item();
  return copied;
}

}  // namespace coffer::local
