#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/ftp/ftp_options.h"
#include "backends/ftp/reply.h"
#include "backends/ftp/transport.h"

namespace coffer::ftp {

/// Takes the bytes that have arrived, all or none: after false they are offered again by
/// Connection::wake.
using Sink = std::function<bool(std::span<const std::byte>)>;
/// Fills `out` and returns how many bytes it gave; 0 ends the content, nullopt means that there are
/// none yet.
using Source = std::function<std::optional<std::size_t>(std::span<std::byte> out)>;

/// One control connection to the server, and the data connections that belong to it. It logs in
/// when it is first used. Blocking, for threads of the pool; used by one thread at a time.
///
/// If a connection that was idle in the pool turns out to be dead at its first command, it connects
/// again once, which the caller does not notice. Later in a sequence a dead connection is an error,
/// since the server's state would be another.
class Connection {
 public:
  explicit Connection(std::shared_ptr<const FtpOptions> options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Connects and logs in, unless that was done. `unavailable` or `timed_out` when it fails.
  Result<void> ready();
  /// Known when it is ready.
  const Features& features() const { return features_; }
  /// The place's path on the server, absolute. Known when it is ready.
  std::string place(const std::string& below_root) const;

  /// Sends one line and returns the reply, if it is one that `wanted` names or a refusal. After any
  /// other reply the connection is closed as broken, and it is not known whether the server carried
  /// the command out.
  Result<Reply> command(const std::string& line, Wanted wanted = Wanted::done);
  /// Sends a line whose reply does not matter.
  Result<void> tell(const std::string& line);

  /// Begin a transfer, which `advance` carries on. `place` is absolute. A listing that does not
  /// keep its pace, storage::ListingPace, is `timed_out`.
  Result<void> begin_list(std::string verb, Sink sink);
  Result<void> begin_download(std::string place, std::uint64_t offset, Sink sink);
  Result<void> begin_upload(std::string place, Source source);
  /// Carries the transfer on as far as it goes without waiting; if that brings nothing and `wait`
  /// is set, waits for the server first. Returns true when the transfer has ended well. After an
  /// error there is no transfer any more.
  Result<bool> advance(bool wait);
  /// False over TLS, where arrived bytes need not be content, so that `has_data` cannot tell.
  bool shows_data() const { return options_->tls == Tls::none; }
  /// True if `advance(false)` of a download brings bytes without waiting within libcurl, which
  /// waits for the server's last reply at the end of a stream.
  bool has_data() const { return shows_data() && sockets_.has_data(); }
  /// Resumes a transfer that the caller had paused: the deadlines start again, and bytes that the
  /// sink refused are offered again, also within this call.
  void wake();
  /// Resumes an upload whose source has bytes again.
  void unpause();
  /// Ends a running transfer by closing the connection.
  void abort();
  /// Drops the sink and the source, which are not called any more. Does not block.
  void abandon();

  /// The answers to the last command or transfer.
  const Reply& reply() const { return reply_; }
  /// Logged in, and not in the middle of a transfer.
  bool connected() const { return logged_in_ && !running_; }
  /// True if the server has sent nothing and closed nothing since the last command. To be called
  /// before the connection is used again.
  bool undisturbed() const { return logged_in_ && !sockets_.disturbed(); }
  /// Marks the connection as idle: the next command may find it dead.
  void rested() { proven_ = false; }

 private:
  using Setup = std::function<void(CURL*)>;

  Result<void> login();
  Result<void> log_in();
  Result<void> start(Setup setup);
  Result<void> run();
  void begin();
  void set_options();
  void set_tls();
  void poll();
  Result<bool> finished(CURLcode code);
  Result<bool> lost(CURLcode code);
  void close();

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_data(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_demand(char* data, std::size_t size, std::size_t count, void* self);
  static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

  /// Shared, since closing reads them when the rest of a backend may be gone.
  const std::shared_ptr<const FtpOptions> options_;
  Sockets sockets_;
  CURLM* multi_ = nullptr;
  CURL* easy_ = nullptr;
  bool running_ = false;
  bool logged_in_ = false;
  bool proven_ = false;
  bool flooded_ = false;
  bool awaits_place_ = false;  ///< The server has not accepted the offset yet.
  bool handshake_failed_ = false;
  bool any_tls_ = false;  ///< Also TLS 1.3.
  bool sink_is_full_ = false;
  std::string base_;
  Features features_;
  Setup setup_;
  Sink sink_;
  Source source_;
  Reply reply_;
  int poll_ms_ = 0;  ///< The timeout of the next wait.
  InactivityTimer inactivity_timer_;
  curl_off_t moved_ = 0;  ///< Bytes of the transfer, both ways.
};

}  // namespace coffer::ftp
