#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/exchange.h"
#include "http/head_parser.h"
#include "http/transfer_meter.h"

namespace coffer::http {

/// The body of a request of HTTP/2. Keeps what has arrived until the handler reads it; how much
/// that can be is limited by the stream's window, which grows only as the body is read.
class H2Body final : public ReceivedBody {
 public:
  /// The stream that the body comes by.
  class Source {
   public:
    virtual ~Source() = default;
    virtual void send_continue() = 0;
    /// Gives bytes back to the windows.
    virtual void consume(std::size_t bytes) = 0;
    /// Lets the client send more at once, after so many bytes were read. `length`: of the body.
    virtual void widen_window(std::uint64_t bytes_read, std::optional<std::uint64_t> length) = 0;
    /// Waits until something has happened. Returns true if the wait took too long.
    virtual Task<bool> wait_received(Instant begun) = 0;
    virtual TransferMeter& meter() = 0;
    virtual bool has_peer_left() = 0;
    /// Resets the stream.
    virtual void cut() = 0;
  };
  /// `source` must outlive this object.
  explicit H2Body(Source& source) : source_(source) {}

  /// Must be called once, before `read`.
  void begin(const Framing& framing) { framing_ = framing; }
  /// Takes bytes that arrived.
  void add(std::string_view bytes);
  /// Notes that the request has ended.
  void end() { has_ended_ = true; }
  bool has_ended() const { return has_ended_; }
  /// Returns true if the client sends nothing before it has got `100 Continue`.
  bool is_held_back() const { return framing_.expects_continue; }
  std::uint64_t bytes_arrived() const { return bytes_arrived_; }
  /// Lets `read` go on after the client was too slow: what it returns is dropped.
  void forgive() {
    if (has_stalled()) error_.reset();
  }
  /// Drops what has arrived and was not read, which ends the body early. Returns its size.
  std::size_t drop();
  /// Gives what `read` returned back to the windows: the handler has used it.
  void give_back();

  std::optional<std::uint64_t> length() const override;
  Task<Result<std::span<const std::byte>>> read() override;
  void interrupt() override;
  bool has_client_left() override;
  bool has_stalled() const override { return error_ && error_->code == ErrorCode::timed_out; }
  std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  Task<void> wait();

  Source& source_;
  Framing framing_{.chunked = true};
  std::deque<std::string> arrived_;
  std::string current_;  ///< What `read` has returned; given back when it is called again.
  std::uint64_t bytes_arrived_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool has_ended_ = false;
  std::optional<Error> error_;
};

}  // namespace coffer::http
