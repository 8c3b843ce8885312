#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "http/h2_frames.h"
#include "http/h2_stream.h"
#include "http/io.h"
#include "http/thread_state.h"

struct nghttp2_session;
struct nghttp2_session_callbacks;

namespace coffer::http {

/// The frames of one connection of HTTP/2 (RFC 9113), without its socket: takes bytes of the client
/// and makes bytes for it, by nghttp2. Used on one thread.
///
/// A client cannot make it hold more than this, whatever it sends and does not read:
/// - 32 MiB of bodies that handlers have not used: the windows of all streams together. That of the
///   connection is larger, so that a stream whose handler is slow holds up no other;
/// - 100 requests, also those that the client has reset while their handlers still run; their heads
///   take 512 KiB together, where small ones are let in in any case;
/// - 64 KiB of frames to be sent, and 512 short ones: see `is_full`.
/// Responses lie where their handlers have them, as they do for HTTP/1.1.
class H2Session final : private H2Stream::Session {
 public:
  /// The connection that the session belongs to.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// There is something to send.
    virtual void has_output() = 0;
    /// Returns how many handlers run.
    virtual std::size_t running() const = 0;
    /// Returns the size of the heads of their requests.
    virtual std::size_t running_heads_bytes() const = 0;
    /// Returns the number of bytes that the client has received.
    virtual std::uint64_t delivered_bytes() = 0;
    /// Returns true if the socket takes no more at present.
    virtual bool waits_for_socket() const = 0;
    /// See ResponseWriter.
    virtual bool is_all_paused() const = 0;
    virtual void cut() = 0;
  };

  H2Session(ThreadState& thread, Owner& owner, H2Stream::Peer peer);
  ~H2Session();
  H2Session(const H2Session&) = delete;
  H2Session& operator=(const H2Session&) = delete;

  /// Takes bytes of the client. Returns false if nothing more can be understood.
  bool receive(std::string_view bytes);
  /// Appends bytes for the client to `out`, until that has 64 KiB or a little more. Returns false
  /// if the connection is broken.
  bool produce(std::string& out);
  /// Returns true if so many frames wait to be sent that nothing must be received before.
  bool is_full() const;
  /// Returns true if neither bytes of the client nor bytes for it are wanted any more.
  bool is_done() const;
  /// Returns the streams whose requests have come since the last call.
  std::vector<std::shared_ptr<H2Stream>> take_started() { return std::exchange(started_, {}); }
  /// Returns since when the head of a request has been incomplete; nullopt if none is.
  std::optional<Instant> head_begun_at() const { return head_begun_at_; }

  /// Tells the client that it must use another connection for further requests (GOAWAY). First
  /// only a notice, so that requests on their way are still served, and the rest as soon as the
  /// client has answered.
  void drain();
  /// Refuses all further requests at once. The connection is done when those before have ended.
  void shut_down();
  bool is_shut_down() const { return is_shut_down_; }
  /// Ends the connection because the client misbehaves.
  void terminate();
  /// Takes note that the connection is cut: closes all streams.
  void close_all();

 private:
  struct Free {
    void operator()(nghttp2_session* session) const;
  };
  struct Callbacks;  ///< Those of nghttp2.
  void submit_continue(std::int32_t id) override;
  void submit_response(H2Stream& stream, unsigned status, std::string& lines,
                       bool has_body) override;
  void resume(std::int32_t id) override;
  void reset(std::int32_t id, std::uint32_t error_code) override;
  void consume(std::size_t bytes) override;
  void give_window(std::int32_t id, std::size_t bytes) override;
  bool widen_window(std::int32_t id, std::size_t from_bytes, std::size_t to_bytes) override;
  void narrow_window(std::size_t bytes) override;
  std::uint64_t delivered_bytes() override { return owner_.delivered_bytes(); }
  bool waits_for_socket(std::int32_t id) const override;
  bool frees_connection() const override { return owner_.is_all_paused(); }
  void cut_connection() override { owner_.cut(); }
  void begin_stream(std::int32_t id);
  void start(std::int32_t id, bool has_ended);
  bool has_room_for(const H2Head& head) const;
  void end_request(std::int32_t id);
  void close_stream(std::int32_t id, std::uint32_t error_code);
  bool counts_failure();
  H2Stream* find(std::int32_t id);

  ThreadState& thread_;
  Owner& owner_;
  const H2Stream::Peer peer_;
  std::unique_ptr<nghttp2_session, Free> session_;
  std::unordered_map<std::int32_t, std::shared_ptr<H2Stream>> streams_;
  std::vector<std::shared_ptr<H2Stream>> started_;
  H2FrameScanner scanner_;
  std::optional<Instant> head_begun_at_;
  std::string* out_ = nullptr;     ///< While `produce` runs.
  std::size_t windows_bytes_ = 0;  ///< What streams' windows have got beyond their first size.
  std::int32_t last_id_ = 0;       ///< Of the streams that were started.
  double failures_ = 0;            ///< See counts_failure.
  Instant failures_at_;
  bool is_draining_ = false;
  bool is_shut_down_ = false;
};

}  // namespace coffer::http
