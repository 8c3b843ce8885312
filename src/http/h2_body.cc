#include "http/h2_body.h"

#include <chrono>
#include <utility>

namespace coffer::http {
namespace {

/// Bytes are joined up to this size, as BodyReader does: a handler writes each piece by itself.
constexpr std::size_t kPieceBytes = 256 * 1024;

}  // namespace

void H2Body::add(std::string_view bytes) {
  bytes_arrived_ += bytes.size();
  if (arrived_.empty() || arrived_.back().size() + bytes.size() > kPieceBytes) {
    arrived_.emplace_back();
  }
  arrived_.back() += bytes;
}

std::size_t H2Body::drop() {
  std::size_t dropped = 0;
  for (const std::string& piece : arrived_) dropped += piece.size();
  arrived_.clear();
  if (dropped > 0) has_ended_ = false;  // `read` must not take what is missing for the end.
  return dropped;
}

std::optional<std::uint64_t> H2Body::length() const {
  if (framing_.chunked) return std::nullopt;
  return framing_.content_length;
}

void H2Body::interrupt() {
  source_.cut();
}

bool H2Body::has_client_left() {
  return source_.has_peer_left();
}

void H2Body::give_back() {
  if (current_.empty()) return;
  const std::size_t size = current_.size();
  current_ = std::string();
  source_.consume(size);
}

Task<void> H2Body::wait() {
  if (std::exchange(framing_.expects_continue, false)) source_.send_continue();
  const Instant begun = std::chrono::steady_clock::now();
  const std::uint64_t before = bytes_arrived_;
  const bool is_late = co_await source_.wait_received(begun);
  const std::uint64_t got = bytes_arrived_ - before;
  const bool is_fast = source_.meter().counts_received(begun, got);
  if ((is_late && got == 0 && !has_ended_) || !is_fast) {
    error_ = Error{ErrorCode::timed_out, "The request's body did not arrive in time."};
  }
}

Task<Result<std::span<const std::byte>>> H2Body::read() {
  give_back();
  if (!has_ended_) source_.widen_window(bytes_read_, length());
  while (!error_ && arrived_.empty() && !has_ended_) {
    if (source_.has_peer_left()) {
      error_ = Error{ErrorCode::invalid, "The request's body ended early."};
    } else {
      co_await wait();
    }
  }
  if (error_) co_return std::unexpected(*error_);
  if (arrived_.empty()) co_return std::span<const std::byte>();
  current_ = std::move(arrived_.front());
  arrived_.pop_front();
  bytes_read_ += current_.size();
  co_return std::as_bytes(std::span<const char>(current_));
}

}  // namespace coffer::http
