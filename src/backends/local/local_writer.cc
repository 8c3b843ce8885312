#include "backends/local/local_writer.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "backends/local/errno_error.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
/// How much may wait in memory before the disk is asked to begin; the last fsync is short then.
constexpr std::uint64_t kFlushBytes = 8 * 1024 * 1024;

}  // namespace

LocalWriter::LocalWriter(Volume& volume, Path target, storage::WriteOptions options)
    : volume_(volume), target_(std::move(target)), options_(options) {}

LocalWriter::~LocalWriter() {
  if (!staged_name_.empty()) volume_.staging->reclaim(std::move(staged_name_));
  if (file_) volume_.staging->close_behind(std::move(file_));
}

Task<Result<void>> LocalWriter::write(std::span<const std::byte> data) {
  written_bytes_ += data.size();
  if (!file_ && buffered_.size() + data.size() <= kBufferBytes) {
    buffered_.insert(buffered_.end(), data.begin(), data.end());
    co_return Result<void>();
  }
  auto work = [this, data] { return store(data); };
  co_return co_await volume_.pool.run(std::move(work));
}

Task<Result<void>> LocalWriter::finish() {
  if (finished_) co_return Result<void>();
  auto work = [this] { return complete(); };
  co_return co_await volume_.pool.run(std::move(work));
}

Result<void> LocalWriter::store(std::span<const std::byte> data) {
  if (broken_) return fail(ErrorCode::failed, "Writing this file failed before.");
  broken_ = true;  // Until it went well: what is half written must not be published.
  if (!file_) {
    if (auto opened = open_staged(); !opened) return opened;
    if (auto wrote = write_all(buffered_); !wrote) return wrote;
    std::vector<std::byte>().swap(buffered_);
  }
  if (auto wrote = write_all(data); !wrote) return wrote;
  if (volume_.durable && stored_bytes_ - flushed_bytes_ >= kFlushBytes) {
    ::sync_file_range(file_.get(), static_cast<off64_t>(flushed_bytes_),
                      static_cast<off64_t>(stored_bytes_ - flushed_bytes_), SYNC_FILE_RANGE_WRITE);
    flushed_bytes_ = stored_bytes_;
  }
  broken_ = false;
  return {};
}

Result<void> LocalWriter::open_staged() {
  staged_name_ = Staging::new_name();
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  file_ = Handle(::openat(volume_.staging->folder(), staged_name_.c_str(), kFlags, 0666));
  if (!file_) return fail_with(errno);
  return {};
}

Result<void> LocalWriter::write_all(std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t count = ::write(file_.get(), data.data(), data.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with(errno);
    stored_bytes_ += static_cast<std::uint64_t>(count);
    data = data.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> LocalWriter::complete() {
  if (finished_) return {};
  if (auto stored = store({}); !stored) return stored;
  broken_ = true;
  if (options_.modified_at) {
    const timespec times[2] = {{0, UTIME_OMIT}, timespec_of(*options_.modified_at)};
    if (::futimens(file_.get(), times) != 0) return fail_with(errno);
  }
  if (volume_.durable && ::fsync(file_.get()) != 0) return fail_with(errno);
  const auto status = status_of(file_.get(), STATX_INO);
  if (!status) return fail_with(status.error());
  inode_ = status->stx_ino;
  file_ = Handle();
  finished_ = true;
  broken_ = false;
  return {};
}

}  // namespace coffer::local
