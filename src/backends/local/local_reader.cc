#include "backends/local/local_reader.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "backends/local/errno_error.h"

namespace coffer::local {
namespace {

/// Closing the last handle on a removed file frees its blocks, which takes long from here on.
constexpr std::uint64_t kLargeBytes = 32 * 1024 * 1024;

}  // namespace

LocalReader::LocalReader(Volume& volume, Handle file, storage::Entry entry)
    : volume_(volume), file_(std::move(file)), entry_(std::move(entry)) {}

LocalReader::~LocalReader() {
  if (entry_.size_bytes < kLargeBytes) return;
  if (volume_.staging) {
    volume_.staging->close_behind(std::move(file_));
  } else {
    // Nothing is reclaimed in a volume that is only read, but others may have removed the file.
    volume_.pool.post([file = std::move(file_)] {});
  }
}

Task<Result<std::size_t>> LocalReader::read(std::uint64_t offset, std::span<std::byte> out) {
  auto work = [this, offset, out] { return read_waiting(offset, out); };
  co_return co_await volume_.pool.run(std::move(work));
}

Result<std::size_t> LocalReader::read_waiting(std::uint64_t offset,
                                              std::span<std::byte> out) const {
  for (;;) {
    const ssize_t count = ::pread(file_.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return fail_with(errno);
  }
}

std::optional<std::size_t> LocalReader::read_now(std::uint64_t offset, std::span<std::byte> out) {
  const iovec target{out.data(), out.size()};
  const ssize_t count = ::preadv2(file_.get(), &target, 1, static_cast<off_t>(offset), RWF_NOWAIT);
  if (count < 0) return std::nullopt;
  return static_cast<std::size_t>(count);
}

}  // namespace coffer::local
