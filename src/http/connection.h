#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>

#include "http/body_reader.h"
#include "http/cors.h"
#include "http/response_sender.h"
#include "http/router.h"
#include "http/server_options.h"
#include "http/transport.h"
#include "http/trusted_proxies.h"

namespace coffer::http {

class Connection;

/// The state that the connections of one thread share. Used by that thread only.
struct ThreadState {
  ThreadState(const ServerOptions& the_options, const Router& the_router, const Cors& the_cors);

  /// The header lines of every response: Date, renewed once a second, and nosniff.
  const std::string& common_lines();
  /// A request's id, unique among the requests of all runs for any practical purpose.
  std::string next_id();

  /// To be called after a change of `waiting`.
  void count_waiting() { waiting_count.store(waiting.size(), std::memory_order_relaxed); }

  const ServerOptions& options;
  const Router& router;
  const Cors& cors;
  const TrustedProxies& proxies;
  /// Connections without a request under way, the longest waiting first, and all others.
  std::list<Connection*> waiting;
  std::list<Connection*> busy;
  /// The size of `waiting`, for other threads.
  std::atomic<std::size_t> waiting_count{0};
  std::string scratch;  ///< A buffer for responses; a coroutine that waits moves it out.
  bool stopping = false;

 private:
  std::string common_lines_;
  std::int64_t common_lines_second_ = 0;
  std::string id_prefix_;
  std::uint64_t id_count_ = 0;
};

/// A client's connection: answers its requests in their order until either side ends it.
class Connection {
 public:
  Connection(ThreadState& thread, Socket socket, std::string remote_address);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Answers requests; returns when the connection is to be closed.
  Task<void> run();
  /// Answers 503 without reading a request.
  Task<void> refuse_as_full();

  void expire(Instant now) { transport_.expire(now); }
  void cut() { transport_.cut(); }
  /// Ends a stream that waits long (Stream::waits_long), since the server stops.
  void end_waiting_stream() {
    if (waiting_stream_) waiting_stream_->end();
  }
  bool is_cut() const { return transport_.is_cut(); }
  bool is_between_requests() const { return between_requests_; }

 private:
  enum class HeadState : std::uint8_t { complete, refused, gone };
  HeadState scan_head(bool& blank_line_seen);
  Task<HeadState> read_head();
  Task<HeadState> read_first_bytes();
  Task<bool> exchange();
  void set_busy(bool busy);
  Task<bool> skip_rest(BodyReader& body);
  Task<Response> answer();
  Task<Response> call_handler();
  Task<Sent> send(std::string& out, const Response& response, Persistence persistence);
  Task<Sent> send_waiting(std::string& out, Stream& stream, StreamFraming framing);
  Task<bool> respond(Response& response, Persistence persistence);
  void put_head(std::string& out, const Response& response, Persistence persistence);
  Task<void> refuse(Refusal refusal);
  Task<void> linger();
  Response refusal(unsigned status, std::string_view message) const;
  void note_end(unsigned status, Instant started, std::uint64_t sent_before,
                std::uint64_t received_bytes) const;
  void log_access(unsigned status, Instant started, std::uint64_t sent_before) const;

  ThreadState& thread_;
  Transport transport_;
  const std::string remote_address_;  ///< The peer's.
  TrustedProxies::Client client_;     ///< Of the request.
  std::list<Connection*>::iterator place_;
  InputBuffer input_;
  HeadScanner scanner_;
  Refusal refusal_;
  Request request_;
  std::string_view pattern_;  ///< The pattern of the request's route; empty without one.
  std::string id_;
  /// True from a request's complete head until its answer was sent and, if the connection is kept,
  /// its whole body was received.
  bool busy_ = false;
  bool between_requests_ = true;
  Stream* waiting_stream_ = nullptr;  ///< Null unless a stream that waits long is sent.
  bool refused_as_full_ = false;
};

}  // namespace coffer::http
