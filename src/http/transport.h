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
#include "http/io.h"
#include "http/tls_session.h"
#include "http/transfer_meter.h"

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

/// A TCP socket or a Unix socket.
using Socket =
    asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;

/// A connected socket, with or without TLS. Its operations have deadlines but no timers: the owner
/// must call `expire` regularly to enforce the deadlines. Used by one coroutine at a time, on one
/// thread, but see `receive_beside`.
class Transport {
 public:
  /// With a `tls`, `begin_tls` must be done before all else.
  Transport(Socket socket, const TransferLimits& limits,
            std::shared_ptr<const TlsContext> tls = nullptr);

  /// Waits until `deadline` for the end of the handshake. A peer that speaks HTTP without TLS is
  /// told so, and the connection ended.
  Task<Io> begin_tls(Instant deadline);
  bool has_tls() const { return tls_.has_value(); }
  /// Returns true if the client chose HTTP/2 in the handshake.
  bool speaks_http2() const { return tls_ && tls_->has_chosen_http2(); }
  /// Tells a peer that speaks TLS that all was sent (close_notify). A connection that is closed
  /// without it was cut off.
  void end_tls();

  /// Waits until `deadline` for bytes and appends them to `into`, which must have room. With
  /// `try_first`, tries to read before it waits, which is faster if bytes have arrived already.
  Task<Io> receive(InputBuffer& into, Instant deadline, bool try_first);
  /// As `receive`, with all that has arrived and without a deadline, while another coroutine may
  /// call `send`. `done` without bytes after `stop_waiting`, and now and then before.
  Task<Io> receive_beside(InputBuffer& into);
  /// Ends all waits.
  void stop_waiting();
  /// Waits for bytes of a body and appends them to `into`, which must have room. `timed_out` if the
  /// peer is slower than the TransferLimits allow.
  Task<Io> receive_body(InputBuffer& into);
  /// Returns the number of bytes that `receive` would return at once.
  std::size_t arrived_bytes();
  /// Waits until `deadline` for bytes and drops up to 1 MiB. Adds their number to `dropped_bytes`.
  Task<Io> drop(std::uint64_t& dropped_bytes, Instant deadline);
  /// Sends all of `bytes`. Set `more` if other bytes are sent right afterwards (MSG_MORE).
  Task<Io> send(std::string_view bytes, bool more);
  /// Sends `length` bytes of the file: by sendfile(2), or with TLS through a buffer. `ended` also
  /// if the file ends before that.
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
  void let_pause(bool may_pause) { meter_.let_pause(may_pause); }
  /// Returns since when the peer has been slower than the TransferLimits allow; nullopt if it is
  /// not.
  std::optional<Instant> stalled_since() const { return meter_.stalled_since(); }
  /// Ends the sending side of the connection. The peer still receives the bytes sent so far.
  void finish_sending();

  /// Makes the running operation end with `timed_out` if its deadline has passed at `now`.
  void expire(Instant now);
  /// Makes the running operation and all later ones end with `ended`.
  void cut();
  bool is_cut() const { return cut_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; }
  /// Returns how many of the bytes that were sent the peer has confirmed.
  std::uint64_t delivered_bytes();

 private:
  Task<Io> wait_for(Socket::wait_type what, Instant deadline);
  Task<Io> wait_for(TlsStep::State wanted, Instant deadline);
  Task<Io> receive_tls(InputBuffer& into, Instant deadline);
  TlsStep receive_all_tls(InputBuffer& into);
  Task<Io> drop_tls(std::uint64_t& dropped_bytes, Instant deadline);
  Task<Io> send_tls(std::string_view bytes);
  Task<Io> send_file_tls(int descriptor, std::uint64_t offset, std::uint64_t length);
  void go_on_watching();
  bool sees_peer_leave();
  Task<Io> wait_writable();
  Io outcome();
  std::uint64_t newly_delivered_bytes();

  Socket socket_;
  std::optional<TlsSession> tls_;
  TransferMeter meter_;
  Instant deadline_ = Instant::max();
  bool expired_ = false;
  std::shared_ptr<std::function<void()>> peer_watch_;  ///< Set until `stop_watching_peer`.
  bool cut_ = false;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_delivered_ = 0;  ///< The sent bytes that the peer has acknowledged.
};

}  // namespace coffer::http
