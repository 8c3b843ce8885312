#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/exchange.h"
#include "http/h2_body.h"
#include "http/h2_head.h"
#include "http/response_writer.h"
#include "http/transfer_meter.h"
#include "http/wakeup.h"

namespace coffer::http {

/// One stream of HTTP/2: a request, and the way of its response. Its bytes are taken from where
/// they lie, when the client's windows let them be sent. Used on one thread, and for each direction
/// by one coroutine at a time.
class H2Stream final : public ResponseWriter, private H2Body::Source {
 public:
  /// The client of all streams of a connection.
  struct Peer {
    std::string address;  ///< It may be a proxy's.
    bool has_tls = true;
  };
  /// The window of a stream: how many bytes of a body the client may send ahead of the handler.
  static constexpr std::size_t kWindowBytes = 64 * 1024;

  /// The frames of the connection that the stream is one of.
  class Session {
   public:
    virtual ~Session() = default;
    virtual void submit_continue(std::int32_t id) = 0;
    /// Begins a response with these lines (see fields_of).
    virtual void submit_response(H2Stream& stream, unsigned status, std::string& lines,
                                 bool has_body) = 0;
    /// The stream has more to send.
    virtual void resume(std::int32_t id) = 0;
    virtual void reset(std::int32_t id, std::uint32_t error_code) = 0;
    /// Gives bytes of a body back to the connection's window.
    virtual void consume(std::size_t bytes) = 0;
    /// Gives them back to a stream's window.
    virtual void give_window(std::int32_t id, std::size_t bytes) = 0;
    /// Makes the window of a stream larger. Returns false if too many streams have large ones.
    virtual bool widen_window(std::int32_t id, std::size_t from_bytes, std::size_t to_bytes) = 0;
    /// Takes back what a stream's window had got.
    virtual void narrow_window(std::size_t bytes) = 0;
    /// Returns the number of bytes that the client has received by the connection.
    virtual std::uint64_t delivered_bytes() = 0;
    /// Returns true if only the socket keeps this stream from sending: it takes no more at present.
    virtual bool waits_for_socket(std::int32_t id) const = 0;
    /// See ResponseWriter.
    virtual bool frees_connection() const = 0;
    virtual void cut_connection() = 0;
  };

  /// `session` must outlive this object.
  H2Stream(Session& session, std::int32_t id, ThreadState& thread, const Peer& peer);

  std::int32_t id() const { return id_; }
  H2Head& head() { return head_; }
  const H2Head& head() const { return head_; }
  H2Body& body() { return body_; }
  Exchange& exchange() { return exchange_; }

  /// Answers the request, whose head is complete; with `refusal` if there is one. Returns when the
  /// response was handed over, or the client has left.
  Task<void> serve(const std::optional<Refusal>& refusal);
  /// Must be called regularly to enforce deadlines.
  void expire(Instant now);
  /// The server stops: the rest of a request that was answered is not waited for as long.
  void hurry();

  // For the session.
  /// Takes note that the head is complete, and with it the request if `is_all`.
  void note_head(bool is_all);
  /// Takes note that bytes, or the end of the request, have arrived.
  void note_received() { wakeup_.wake(); }
  /// Takes note that the stream is closed. Nothing is sent after that.
  void note_closed();
  /// The number of bytes that can be sent at once, at most `most`; nullopt if there are none yet.
  std::optional<std::size_t> available(std::size_t most) const;
  /// Appends so many of them to `out`. Returns false if a file cannot be read.
  bool take(std::size_t count, std::string& out);
  /// Returns true if the response ends with so many more bytes.
  bool ends_after(std::size_t count) const;

  void begin_head(std::string& out, const Response& response) override;
  void end_head(std::string& out) override;
  StreamFraming framing() const override { return StreamFraming::frames; }
  Task<Io> send(std::string_view bytes, bool more) override;
  Task<Io> send_file(int descriptor, std::uint64_t offset, std::uint64_t length) override;
  Task<Io> finish() override;
  void cork(bool /*corked*/) override {}
  bool has_peer_left() override { return is_closed_; }
  void watch_peer(std::function<void()> left) override;
  void stop_watching_peer() override { left_ = nullptr; }
  void reset_when_closed() override {}
  void let_pause(bool may_pause) override { meter_.let_pause(may_pause); }
  std::optional<Instant> stalled_since() const override { return meter_.stalled_since(); }
  void cut() override;
  bool is_cut() const override { return is_closed_; }
  bool frees_connection() const override { return session_.frees_connection(); }
  void cut_connection() override { session_.cut_connection(); }
  std::uint64_t bytes_sent() const override { return bytes_sent_; }

 private:
  // For the body.
  TransferMeter& meter() override { return meter_; }
  void send_continue() override;
  void consume(std::size_t bytes) override;
  void widen_window(std::uint64_t bytes_read, std::optional<std::uint64_t> length) override;
  Task<bool> wait_received(Instant begun) override;

  /// Bytes in memory, or of a file if `descriptor` is not negative.
  struct Source {
    const char* bytes = nullptr;
    int descriptor = -1;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };
  Task<void> serve_request();
  Task<void> drain();
  std::string_view path_of_target() const;
  void reset(std::uint32_t error_code);
  Task<Io> send_from(Source source);
  void begin_response(bool has_body);
  Task<Io> wait_taken();
  bool is_pending() const;

  Session& session_;
  const std::int32_t id_;
  ThreadState& thread_;
  H2Head head_;
  std::string head_text_;  ///< What the request's views are of.
  H2Body body_;
  bool has_request_body_ = false;
  TransferMeter meter_;
  Exchange exchange_;
  Wakeup wakeup_;
  Instant deadline_ = Instant::max();
  bool is_late_ = false;
  std::optional<Instant> drain_until_;  ///< Set when the request was answered.
  bool is_closed_ = false;
  std::function<void()> left_;

  unsigned status_ = 0;
  std::string lines_;                    ///< Of the response's head, until it is sent.
  std::optional<std::uint64_t> length_;  ///< Of the response's body, if it is known.
  bool has_begun_ = false;
  bool has_body_ = false;
  bool is_finished_ = false;   ///< Nothing comes after what is in the source.
  bool is_end_taken_ = false;  ///< The frame with the end was made.
  Source source_;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t body_sent_ = 0;

  std::size_t window_bytes_ = kWindowBytes;
  std::size_t used_bytes_ = 0;  ///< Of the window, and not given back.
  std::uint64_t widen_at_ = 0;  ///< When so many bytes of the body were read.
};

}  // namespace coffer::http
