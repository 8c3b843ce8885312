#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "http/exchange.h"
#include "http/h2_session.h"
#include "http/h2_stream.h"
#include "http/thread_state.h"
#include "http/transport.h"
#include "http/wakeup.h"

namespace coffer::http {

/// Serves HTTP/2 on a client's connection: moves bytes between its socket and an H2Session, and
/// runs the handlers of its requests, each by itself. Used on one thread.
class H2Connection final : private H2Session::Owner {
 public:
  /// `set_busy` is called when the first of several requests begins, and when the last has ended.
  /// The references must outlive this object.
  H2Connection(ThreadState& thread, Transport& transport, std::string peer_address,
               std::function<void(bool)> set_busy);

  /// Answers requests, with `refusal` if there is one. Returns when the connection must be closed
  /// and all handlers have ended: true if the client must still get what was sent.
  Task<bool> run(const std::optional<Refusal>& refusal);

  /// Enforces all deadlines. Must be called regularly.
  void expire(Instant now);
  void cut() override;
  /// See Server::drain.
  void drain() { session_.drain(); }
  /// The server stops: takes no further requests, and ends responses that wait long or are paused.
  void begin_stop();
  void for_each_exchange(const std::function<void(Exchange&)>& each);

 private:
  class EndsRun;
  void has_output() override { output_.wake(); }
  std::size_t running() const override { return running_.size(); }
  std::size_t running_heads_bytes() const override;
  std::uint64_t delivered_bytes() override { return transport_.delivered_bytes(); }
  bool waits_for_socket() const override { return is_sending_; }
  bool is_all_paused() const override;

  Task<void> receive_all();
  Task<void> send_all();
  Task<void> serve(std::shared_ptr<H2Stream> stream);
  void start(const asio::any_io_executor& executor);
  void end_run();

  ThreadState& thread_;
  Transport& transport_;
  const std::function<void(bool)> set_busy_;
  H2Session session_;
  std::optional<Refusal> refusal_;
  std::list<H2Stream*> running_;  ///< The streams whose handlers run.
  InputBuffer input_;
  Wakeup output_;     ///< There may be something to send.
  Wakeup drained_;    ///< The session may be less full.
  Wakeup one_ended_;  ///< A handler has ended.
  Instant idle_since_;
  bool is_sending_ = false;
  bool is_over_ = false;  ///< Neither direction goes on.
  bool is_broken_ = false;
};

}  // namespace coffer::http
