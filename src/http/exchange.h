#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "http/head_parser.h"
#include "http/io.h"
#include "http/message.h"
#include "http/response_sender.h"
#include "http/response_writer.h"
#include "http/thread_state.h"
#include "http/trusted_proxies.h"

namespace coffer::http {

/// A request's body, as it is received from a client.
class ReceivedBody : public Body {
 public:
  /// Returns true if the client was too slow.
  virtual bool has_stalled() const = 0;
  /// Returns the number of bytes that `read` has returned.
  virtual std::uint64_t bytes_read() const = 0;
};

/// The requests that come one after the other by one way, and their responses: from a parsed head
/// to the line in the log. It is the same for all versions of HTTP. Used on one thread.
class Exchange {
 public:
  /// `peer_address` may be that of a proxy. `writer` must outlive this object.
  Exchange(ThreadState& thread, ResponseWriter& writer, std::string peer_address, bool has_tls);

  /// Begins with the next request, whose head is complete, or so far wrong.
  void begin();
  /// The request, for the parser of its head.
  Request& request() { return request_; }
  /// Calls the handler of the request. Returns its response, or the one to what failed.
  Task<Response> answer(ReceivedBody& body);
  /// Sends the response. If its content fails at once, `response` becomes the error that is sent
  /// instead. Returns false if it could not be sent in full.
  Task<bool> respond(Response& response);
  /// Sends the response to a head that is refused, and notes it. `path` is that of the request, as
  /// far as it is known. Returns as `respond`.
  Task<bool> refuse(Refusal refusal, std::string_view path);
  /// Logs and counts the request after its response.
  void note_end(unsigned status, std::uint64_t received_bytes) const;

  /// Call it when the server stops. Ends the current response if it is a stream with `waits_long`.
  void end_waiting_stream() {
    if (waiting_stream_) waiting_stream_->end();
  }
  /// Ends a pause of the client: from now on it must take the current response in time.
  void end_pause() { writer_.let_pause(false); }
  /// Returns since when the client has paused the current response; nullopt if it does not.
  std::optional<Instant> paused_since() const { return writer_.stalled_since(); }
  /// Returns true if memory is reserved for the current response.
  bool holds_memory() const { return holds_memory_; }
  /// Returns the network of the client of the current request (see network_of).
  const std::string& client_network();
  /// Returns the account whose guest sent the current request; empty if no guest did.
  std::string_view guest_of() const;
  /// Breaks the response off.
  void cut() { writer_.cut(); }
  bool is_cut() const { return writer_.is_cut(); }
  /// See ResponseWriter.
  bool frees_connection() const { return writer_.frees_connection(); }
  void cut_connection() { writer_.cut_connection(); }

 private:
  std::string_view below_base_path(std::string_view path) const;
  void prepare(ReceivedBody& body);
  Task<Response> call_handler();
  Task<Response> find_and_call();
  bool claims_to_be_proxy() const;
  Task<void> show_to_people(Response& response);
  Response refusal(unsigned status, std::string_view message) const;
  Task<Sent> send(std::string& out, const Response& response);
  Task<Sent> send_body(std::string& out, const Response& response);
  Task<Sent> send_waiting(std::string& out, Stream& stream);
  Task<bool> put(Response& response);
  void put_head(std::string& out, const Response& response);
  void log_access(unsigned status) const;

  ThreadState& thread_;
  ResponseWriter& writer_;
  const std::string peer_address_;
  const bool has_tls_;
  TrustedProxies::Client client_;  ///< The client of the current request.
  Request request_;
  std::string_view pattern_;  ///< The pattern of the request's route; empty if none matched.
  std::string id_;
  Instant started_;
  std::uint64_t sent_before_ = 0;
  Stream* waiting_stream_ = nullptr;  ///< Set while a stream is sent whose `waits_long` is true.
  bool holds_memory_ = false;
  bool is_base_path_ = false;  ///< The request is for the base path itself, without a slash.
  std::string network_;        ///< See client_network; empty until somebody asks.
};

}  // namespace coffer::http
