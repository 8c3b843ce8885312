#include "backends/rclone/engine/stream_source.h"

#include <sys/socket.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace coffer::rclone {
namespace {

void wake(Resume& waiting) {
  if (waiting) std::exchange(waiting, nullptr)();
}

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

}  // namespace coffer::rclone
