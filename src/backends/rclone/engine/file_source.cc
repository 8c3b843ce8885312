#include "backends/rclone/engine/file_source.h"

#include <sys/sendfile.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cerrno>

namespace coffer::rclone {
namespace {

constexpr std::uint64_t kFilePieceBytes = 1024 * 1024;

}  // namespace

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
