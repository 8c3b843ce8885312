#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "http/body_reader.h"
#include "http/exchange.h"
#include "http/h2_connection.h"
#include "http/http1_writer.h"
#include "http/thread_state.h"
#include "http/transport.h"

namespace coffer::http {

/// A client's connection. Answers its requests in order until either side closes the connection.
class Connection {
 public:
  Connection(ThreadState& thread, Socket socket, std::string remote_address,
             std::shared_ptr<const TlsContext> tls = nullptr);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Answers requests. Returns when the connection must be closed.
  Task<void> run();
  /// Answers 503 without reading a request, because the server has too many connections.
  Task<void> refuse_as_full();

  void expire(Instant now);
  void cut();
  /// Call it when the server stops. Responses that wait long or are paused end soon, and the
  /// connection as soon as no request is in progress.
  void begin_stop();
  /// See Server::drain.
  void drain() {
    if (http2_) http2_->drain();
  }
  /// Calls `each` with every request in progress.
  void for_each_exchange(const std::function<void(Exchange&)>& each);
  bool is_cut() const { return transport_.is_cut(); }

 private:
  enum class HeadState : std::uint8_t { complete, refused, gone };
  HeadState scan_head(bool& blank_line_seen);
  Task<HeadState> read_head();
  Task<HeadState> read_first_bytes();
  Task<Io> begin_tls();
  Task<void> end(bool is_all_read);
  Task<bool> exchange();
  void set_busy(bool busy);
  Task<bool> skip_rest(BodyReader& body);
  Task<void> refuse(Refusal refusal);
  Task<void> linger();
  Task<void> run_http1();
  Task<void> run_http2(const std::optional<Refusal>& refusal);

  ThreadState& thread_;
  Transport transport_;
  const std::string peer_address_;
  Http1Writer writer_;
  Exchange exchange_;
  std::list<Connection*>::iterator place_;
  InputBuffer input_;
  HeadScanner scanner_;
  Refusal refusal_;
  /// True while a request is in progress. A request begins when its head is complete. It ends when
  /// the answer was sent and, on a connection that stays open, the rest of the body was received.
  bool busy_ = false;
  bool between_requests_ = true;  ///< Before the first request, true only for TCP.
  bool hurries_ = false;  ///< To end, since there are too many connections, or it is broken.
  std::unique_ptr<H2Connection> http2_;  ///< Set while the connection speaks HTTP/2.
};

}  // namespace coffer::http
