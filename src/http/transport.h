#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "async/task.h"
#include "http/input_buffer.h"
#include "http/rate_meter.h"

namespace coffer::http {

/// A socket of TCP or a Unix socket.
using Socket =
    asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;
using Instant = std::chrono::steady_clock::time_point;

/// How an operation on a socket ended. `ended`: the peer is gone, or the connection was cut.
enum class Io : std::uint8_t { done, ended, timed_out };

/// What a peer has to keep to while bodies pass, either way.
struct TransferLimits {
  std::chrono::milliseconds stall_timeout;  ///< Without a byte.
  std::uint64_t min_rate_bytes;             ///< A second, on average over `min_rate_window`.
  std::chrono::milliseconds min_rate_window;
};

/// A connected socket whose operations have deadlines. They are enforced by calling `expire` now
/// and then: no timer is armed for a single operation. One coroutine at a time, on one thread.
class Transport {
 public:
  Transport(Socket socket, const TransferLimits& limits);

  /// Waits until `deadline` for bytes and adds them to `into`, which must have room. `try_first`
  /// asks the socket before it waits, which pays where bytes are likely there already.
  Task<Io> receive(InputBuffer& into, Instant deadline, bool try_first);
  /// The same for a body's bytes, within the limits of transfers.
  Task<Io> receive_body(InputBuffer& into);
  /// Waits until `deadline` for bytes and drops what has come, up to a megabyte, which it adds to
  /// `dropped_bytes`.
  Task<Io> drop(std::uint64_t& dropped_bytes, Instant deadline);
  /// Sends all of `bytes`; `more` says that others follow at once (MSG_MORE).
  Task<Io> send(std::string_view bytes, bool more);
  /// Sends `length` bytes of the file by sendfile(2). `ended` also when the file is shorter.
  Task<Io> send_file(int descriptor, std::uint64_t offset, std::uint64_t length);
  /// While corked, only full packets go out; uncorking sends the rest (TCP_CORK).
  void cork(bool corked);
  /// True once the peer sends nothing more: most have left then.
  bool has_peer_left();
  /// Calls `left` once when the peer sends nothing more, on this thread, unless it sends something
  /// first or `stop_watching_peer` was called; there is one such watch. Nothing is received
  /// meanwhile.
  void watch_peer(std::function<void()> left);
  void stop_watching_peer();
  /// The peer gets an error instead of an orderly end.
  void reset_when_closed();
  /// Tells the peer that nothing more will be sent.
  void finish_sending();

  /// Makes an operation whose deadline has passed end with `timed_out`.
  void expire(Instant now);
  /// Makes the running operation and all that follow end with `ended`.
  void cut();
  bool is_cut() const { return cut_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  Task<Io> wait_writable();
  Io outcome();
  std::uint64_t newly_delivered_bytes();

  Socket socket_;
  const std::chrono::milliseconds stall_timeout_;
  RateMeter rate_;
  Instant deadline_ = Instant::max();
  bool expired_ = false;
  std::shared_ptr<std::function<void()>> peer_watch_;  ///< Null while there is none.
  bool cut_ = false;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_delivered_ = 0;  ///< Of those, what the peer has confirmed.
};

}  // namespace coffer::http
