#include "backends/rclone/engine/upload_source.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <utility>

#include "base/disk.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

void wake(Resume& waiting) {
  if (waiting) std::exchange(waiting, nullptr)();
}

constexpr int kFlags = O_RDWR | O_CLOEXEC;
constexpr mode_t kForUsAlone = S_IRUSR | S_IWUSR;

constexpr std::uint64_t kWindowBytes = 8 * 1024 * 1024;

int open_and_unlink(int folder) {
  const auto name = storage::partial_name();
  const int descriptor = ::openat(folder, name.c_str(), kFlags | O_CREAT | O_EXCL, kForUsAlone);
  if (descriptor >= 0) ::unlinkat(folder, name.c_str(), 0);
  return descriptor;
}

std::unexpected<Error> spool_failure(int code, std::string message) {
  return std::unexpected(lack_of(code).value_or(Error{ErrorCode::failed, std::move(message)}));
}

/// Some file systems, such as NFS, have no files without a name.
int open_nameless(int folder) {
  const int descriptor = ::openat(folder, ".", kFlags | O_TMPFILE, kForUsAlone);
  if (descriptor >= 0 || errno != EOPNOTSUPP) return descriptor;
  return open_and_unlink(folder);
}

constexpr std::uint64_t kFilePieceBytes = 1024 * 1024;

}  // namespace

Task<bool> StreamSource::give(std::span<const std::byte> data) {
  co_await suspend([&](Resume resume) {
    const std::lock_guard lock(mutex_);
    if (closed_) return resume();
    data_ = data;
    giver_ = std::move(resume);
    wake(taker_);
  });
  const std::lock_guard lock(mutex_);
  co_return !closed_;
}

bool StreamSource::is_fetched() {
  const std::lock_guard lock(mutex_);
  return fetched_;
}

void StreamSource::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (line_ >= 0) ::shutdown(line_, SHUT_RDWR);
  wake(taker_);
  // The sender looks at the data until it says so.
  if (!sending_) wake(giver_);
}

Task<std::optional<std::span<const std::byte>>> StreamSource::next() {
  co_await suspend([&](Resume resume) {
    const std::lock_guard lock(mutex_);
    if (data_ || closed_) return resume();
    taker_ = std::move(resume);
  });
  const std::lock_guard lock(mutex_);
  if (closed_) co_return std::nullopt;
  sending_ = true;
  co_return data_;
}

void StreamSource::finish_data() {
  const std::lock_guard lock(mutex_);
  sending_ = false;
  data_.reset();
  wake(giver_);
}

void StreamSource::end() {
  const std::lock_guard lock(mutex_);
  line_ = -1;
  closed_ = true;
  wake(giver_);
}

Task<Result<void>> StreamSource::send(asio::ip::tcp::socket& socket) {
  {
    const std::lock_guard lock(mutex_);
    fetched_ = true;
    line_ = socket.native_handle();
  }
  boost::system::error_code error;
  std::uint64_t left = size_bytes_;
  while (left > 0 && !error) {
    const auto data = co_await next();
    if (!data || data->size() > left) break;
    co_await asio::async_write(socket, asio::buffer(data->data(), data->size()),
                               asio::redirect_error(asio::use_awaitable, error));
    left -= data->size();
    if (left > 0 || error) finish_data();
  }
  // The last bytes are given only when nothing can go wrong here any more.
  if (left == 0 && !error) {
    const std::lock_guard lock(mutex_);
    sending_ = false;
    line_ = -1;
    wake(giver_);
    co_return Result<void>{};
  }
  end();
  co_return fail(ErrorCode::failed, "The content ended early.");
}

Result<std::shared_ptr<Spool>> Spool::open(const std::filesystem::path& folder) {
  TRY(const int opened, open_trusted_folder(folder));
  const int descriptor = open_nameless(opened);
  const int code = errno;
  ::close(opened);
  if (descriptor < 0) {
    return spool_failure(code, "The server cannot create a temporary file for the content.");
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
  return spool_failure(error, "The server cannot write to its disk.");
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
    // The last bytes that were read may still be on their way.
    const auto behind = at - static_cast<off_t>(4 * kWindowBytes);
    if (behind >= 0) ::posix_fadvise(descriptor_, behind, kWindowBytes, POSIX_FADV_DONTNEED);
  }
}

Task<Result<void>> FileSource::send(asio::ip::tcp::socket& socket) {
  socket.native_non_blocking(true);
  const auto executor = co_await asio::this_coro::executor;
  off_t offset = 0;
  std::uint64_t ahead_bytes = 0;
  while (static_cast<std::uint64_t>(offset) < size_bytes_) {
    const auto left =
        std::min<std::uint64_t>(size_bytes_ - static_cast<std::uint64_t>(offset), kFilePieceBytes);
    spool_->read_on(ahead_bytes, static_cast<std::uint64_t>(offset));
    const auto sent = ::sendfile(socket.native_handle(), spool_->descriptor(), &offset, left);
    if (sent > 0) {
      // Other fetches have their turn.
      co_await asio::post(executor, asio::use_awaitable);
      continue;
    }
    if (sent == 0 || (errno != EAGAIN && errno != EINTR)) break;
    boost::system::error_code error;
    co_await socket.async_wait(asio::ip::tcp::socket::wait_write,
                               asio::redirect_error(asio::use_awaitable, error));
    if (error) break;
  }
  if (static_cast<std::uint64_t>(offset) == size_bytes_) co_return Result<void>{};
  co_return fail(ErrorCode::failed, "The content ended early.");
}

}  // namespace coffer::rclone
