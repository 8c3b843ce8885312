#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "async/task.h"

namespace coffer::http {

/// A buffer of received bytes. Consumed bytes stay in place until `make_room` or `reset` is called.
/// Views of a request's head thus stay valid while the request is served.
class InputBuffer {
 public:
  /// Returns the address of the first byte of `data`. The bytes there may be changed.
  char* front() { return bytes_.get() + begin_; }
  std::string_view data() const { return {bytes_.get() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  std::size_t capacity() const { return capacity_; }
  std::span<char> space() { return {bytes_.get() + end_, capacity_ - end_}; }
  void commit(std::size_t count) { end_ += count; }
  void consume(std::size_t count) { begin_ += count; }

  /// Makes the capacity at least `capacity`, drops consumed bytes, and moves `data` to the front.
  void make_room(std::size_t capacity) {
    if (capacity > capacity_) {
      replace(capacity);
    } else if (begin_ > 0) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
  }
  /// Drops the data and sets the size of the buffer to exactly `capacity`.
  void reset(std::size_t capacity) {
    begin_ = end_ = 0;
    if (capacity_ != capacity) replace(capacity);
  }

 private:
  void replace(std::size_t capacity) {
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    if (!empty()) std::memcpy(bytes.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Compares a peer's rate in each time window with a minimum. Counts only waits for the peer.
class RateMeter {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// `min_rate_bytes` is in bytes a second; 0 accepts any rate.
  RateMeter(std::uint64_t min_rate_bytes, Duration window)
      : min_rate_bytes_(min_rate_bytes), window_(window) {}

  /// Adds a wait and the bytes that were transferred during it. Returns false if this wait ends a
  /// window and the rate in this window was below the minimum.
  bool keeps_up(Duration waited, std::uint64_t bytes) {
    waited_ += waited;
    bytes_ += bytes;
    if (waited_ < window_) return true;
    const std::chrono::duration<double> seconds = std::exchange(waited_, Duration::zero());
    const auto least = static_cast<double>(min_rate_bytes_) * seconds.count();
    return static_cast<double>(std::exchange(bytes_, 0)) >= least;
  }

 private:
  const std::uint64_t min_rate_bytes_;
  const Duration window_;
  Duration waited_{};
  std::uint64_t bytes_ = 0;
};

/// A TCP socket or a Unix socket.
using Socket =
    asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;
using Instant = std::chrono::steady_clock::time_point;

/// The result of an operation on a socket. `ended`: the peer disconnected, or `cut` was called.
enum class Io : std::uint8_t { done, ended, timed_out };

/// The limits for a peer while a body is sent or received.
struct TransferLimits {
  std::chrono::milliseconds stall_timeout;  ///< The longest time without a byte.
  std::uint64_t min_rate_bytes;  ///< Minimum of bytes a second, averaged over `min_rate_window`.
  std::chrono::milliseconds min_rate_window;
};

/// A connected socket. Its operations have deadlines but no timers: the owner must call `expire`
/// regularly to enforce the deadlines. Used by one coroutine at a time, on one thread.
class Transport {
 public:
  Transport(Socket socket, const TransferLimits& limits);

  /// Waits until `deadline` for bytes and appends them to `into`, which must have room. With
  /// `try_first`, tries to read before it waits, which is faster if bytes have arrived already.
  Task<Io> receive(InputBuffer& into, Instant deadline, bool try_first);
  /// Waits for bytes of a body and appends them to `into`, which must have room. `timed_out` if the
  /// peer is slower than the TransferLimits allow.
  Task<Io> receive_body(InputBuffer& into);
  /// Returns the number of bytes that `receive` would return at once.
  std::size_t arrived_bytes();
  /// Waits until `deadline` for bytes and drops up to 1 MiB. Adds their number to `dropped_bytes`.
  Task<Io> drop(std::uint64_t& dropped_bytes, Instant deadline);
  /// Sends all of `bytes`. Set `more` if other bytes are sent right afterwards (MSG_MORE).
  Task<Io> send(std::string_view bytes, bool more);
  /// Sends `length` bytes of the file by sendfile(2). `ended` also if the file ends before that.
  Task<Io> send_file(int descriptor, std::uint64_t offset, std::uint64_t length);
  /// While corked, only full packets are sent; uncorking sends the rest (TCP_CORK).
  void cork(bool corked);
  /// Returns true if the peer has ended its sending side. Most peers do this only to disconnect.
  bool has_peer_left();
  /// Calls `left` once, on this thread, when the peer ends its sending side. The watch ends without
  /// a call if the peer sends bytes first, or if `stop_watching_peer` is called. While the watch
  /// runs, the caller must not call `receive` or begin another watch.
  void watch_peer(std::function<void()> left);
  void stop_watching_peer();
  /// Makes the socket reset the connection when it is closed, so that the peer sees an error.
  void reset_when_closed();
  /// While this is set, `send` and `send_file` wait for a peer that is slower than the
  /// TransferLimits allow, instead of failing with `timed_out`.
  void let_pause(bool may_pause);
  /// Returns since when the peer has been slower than the TransferLimits allow; nullopt if it is
  /// not.
  std::optional<Instant> stalled_since() const { return stalled_since_; }
  /// Ends the sending side of the connection. The peer still receives the bytes sent so far.
  void finish_sending();

  /// Makes the running operation end with `timed_out` if its deadline has passed at `now`.
  void expire(Instant now);
  /// Makes the running operation and all later ones end with `ended`.
  void cut();
  bool is_cut() const { return cut_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  Task<Io> wait_writable();
  bool lets_lag(bool lags, Instant begun, std::uint64_t delivered_bytes);
  Io outcome();
  std::uint64_t newly_delivered_bytes();

  Socket socket_;
  const TransferLimits limits_;
  RateMeter rate_;
  Instant deadline_ = Instant::max();
  bool expired_ = false;
  std::shared_ptr<std::function<void()>> peer_watch_;  ///< Set until `stop_watching_peer`.
  bool cut_ = false;
  bool may_pause_ = false;
  std::optional<Instant> stalled_since_;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_delivered_ = 0;  ///< The sent bytes that the peer has acknowledged.
};

}  // namespace coffer::http
