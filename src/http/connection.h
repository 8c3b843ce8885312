#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <optional>
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

/// The state that all connections of one thread share. Used by this thread only.
struct ThreadState {
  ThreadState(const ServerOptions& the_options, const Router& the_router);

  /// Returns the header lines that every response has: X-Content-Type-Options and the current Date.
  const std::string& common_lines();
  /// Returns a new request id. A random prefix makes ids unique in practice, even across restarts.
  std::string next_id();

  /// Updates `waiting_count`. Must be called after every change of `waiting`.
  void count_waiting() { waiting_count.store(waiting.size(), std::memory_order_relaxed); }

  const ServerOptions& options;
  const Router& router;
  bool access_log;  ///< As the next two, in force from now on: see LiveOptions.
  Cors cors;
  TrustedProxies proxies;
  /// Connections without a request in progress. The one that has waited longest is the first.
  std::list<Connection*> waiting;
  std::list<Connection*> busy;  ///< All other connections.
  /// The size of `waiting`, for other threads.
  std::atomic<std::size_t> waiting_count{0};
  /// How many responses clients of one network have paused, of the network with most, as of late;
  /// and the same of responses for which memory is reserved. For other threads.
  std::atomic<std::size_t> most_paused{0};
  std::atomic<std::size_t> most_paused_in_room{0};
  std::string scratch;  ///< A buffer for reuse. It is moved out while a response uses it.
  bool stopping = false;

 private:
  std::string common_lines_;
  std::int64_t common_lines_second_ = 0;
  std::string id_prefix_;
  std::uint64_t id_count_ = 0;
};

/// A client's connection. Answers its requests in order until either side closes the connection.
class Connection {
 public:
  Connection(ThreadState& thread, Socket socket, std::string remote_address);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Answers requests. Returns when the connection must be closed.
  Task<void> run();
  /// Answers 503 without reading a request, because the server has too many connections.
  Task<void> refuse_as_full();

  void expire(Instant now) { transport_.expire(now); }
  void cut() { transport_.cut(); }
  /// Call it when the server stops. Ends the current response if it is a stream with `waits_long`.
  void end_waiting_stream() {
    if (waiting_stream_) waiting_stream_->end();
  }
  /// Ends a pause of the client: from now on it must take the current response in time.
  void end_pause() { transport_.let_pause(false); }
  /// Returns since when the client has paused the current response; nullopt if it does not.
  std::optional<Instant> paused_since() const { return transport_.stalled_since(); }
  /// Returns true if memory is reserved for the current response.
  bool holds_memory() const { return holds_memory_; }
  /// Returns the network of the client of the current request (see network_of).
  const std::string& client_network();
  /// Returns the account whose guest sent the current request; empty if no guest did.
  std::string_view guest_of() const;
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
  std::string_view below_base_path(std::string_view path) const;
  Task<Response> call_handler();
  Task<void> show_to_people(Response& response);
  Task<Sent> send(std::string& out, const Response& response, Persistence persistence);
  Task<Sent> send_body(std::string& out, const Response& response, Persistence persistence);
  Task<Sent> send_waiting(std::string& out, Stream& stream, StreamFraming framing);
  Task<bool> respond(Response& response, Persistence persistence);
  Task<bool> put(Response& response, Persistence persistence);
  void put_head(std::string& out, const Response& response, Persistence persistence);
  Task<void> refuse(Refusal refusal);
  Task<void> linger();
  Response refusal(unsigned status, std::string_view message) const;
  void note_end(unsigned status, Instant started, std::uint64_t sent_before,
                std::uint64_t received_bytes) const;
  void log_access(unsigned status, Instant started, std::uint64_t sent_before) const;

  ThreadState& thread_;
  Transport transport_;
  const std::string remote_address_;  ///< The address of the peer, which may be a proxy.
  TrustedProxies::Client client_;     ///< The client of the current request.
  std::list<Connection*>::iterator place_;
  InputBuffer input_;
  HeadScanner scanner_;
  Refusal refusal_;
  Request request_;
  std::string_view pattern_;  ///< The pattern of the request's route; empty if none matched.
  std::string id_;
  /// True while a request is in progress. A request begins when its head is complete. It ends when
  /// the answer was sent and, on a connection that stays open, the rest of the body was received.
  bool busy_ = false;
  bool between_requests_ = true;      ///< Before the first request, true only for TCP.
  Stream* waiting_stream_ = nullptr;  ///< Set while a stream is sent whose `waits_long` is true.
  bool refused_as_full_ = false;
  bool holds_memory_ = false;
  bool is_base_path_ = false;  ///< The request is for the base path itself, without a slash.
  std::string network_;        ///< See client_network; empty until somebody asks.
};

}  // namespace coffer::http
