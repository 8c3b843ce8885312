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
#include "backends/ftp/inactivity_timer.h"
#include "backends/ftp/reply.h"
#include "backends/ftp/sockets.h"

namespace coffer::ftp {

/// Takes the bytes that come, all or none: with false they wait until Connection::wake.
using Sink = std::function<bool(std::span<const std::byte>)>;
/// Fills `out` and tells how much; 0 ends the content, nothing means that there is none just now.
using Source = std::function<std::optional<std::size_t>(std::span<std::byte> out)>;

/// One control connection to the server, and the data connections that belong to it. It logs in
/// when it is first used. Blocking, for threads of the pool; used by one thread at a time.
///
/// When the connection has waited in a pool and the first command after that finds it dead, it is
/// made anew once, unseen by the caller. Later in a sequence that is an error, since the server's
/// state would be another.
class Connection {
 public:
  explicit Connection(std::shared_ptr<const FtpOptions> options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Connects and logs in unless it is. `unavailable` or `timed_out` when that does not work.
  Result<void> ready();
  /// Known when it is ready.
  const Features& features() const { return features_; }
  /// The place's path on the server, absolute. Known when it is ready.
  std::string place(const std::string& below_root) const;

  /// Sends one line and returns what was answered: what `wanted` says, or a refusal. Anything else
  /// is no answer to it: the connection is closed as one that broke, and whether the server did it
  /// is not known.
  Result<Reply> command(const std::string& line, Wanted wanted = Wanted::done);

  /// Begin a transfer, which `advance` carries on. `place` is absolute. A listing that does not
  /// keep its pace, storage::ListingPace, is `timed_out`.
  Result<void> begin_list(std::string verb, Sink sink);
  Result<void> begin_download(std::string place, std::uint64_t offset, Sink sink);
  Result<void> begin_upload(std::string place, Source source);
  /// Does what can be done now; when that is nothing and `wait` is set, waits for the server first.
  /// True when the transfer has ended well. After an error there is no transfer any more.
  Result<bool> advance(bool wait);
  /// Whether `has_data` can tell: over TLS it does not show whether what has arrived is content.
  bool shows_data() const { return options_->tls == Tls::none; }
  /// True if `advance(false)` of a download brings bytes, and so does not wait within libcurl,
  /// which waits for the server's last word where a stream ends.
  bool has_data() const { return shows_data() && sockets_.has_data(); }
  /// For a transfer that the caller let rest: the server's deadlines begin now. What the sink left
  /// is offered again, also within this call.
  void wake();
  /// The source has something again.
  void unpause();
  /// Ends a transfer that has not; the connection is closed by it.
  void abort();
  /// Nothing is passed to the sink and taken from the source any more. Does not block.
  void abandon();

  /// The answers to the last command or transfer.
  const Reply& reply() const { return reply_; }
  /// Logged in, and not in the middle of a transfer.
  bool connected() const { return logged_in_ && !running_; }
  /// Whether it is still as the last command left it. Called before it is used again.
  bool undisturbed() const { return logged_in_ && !sockets_.disturbed(); }
  /// It was at rest: from now on the first command may find it dead.
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

  /// Shared: closing reads them, which may be after all else of a backend is gone.
  const std::shared_ptr<const FtpOptions> options_;
  Sockets sockets_;
  CURLM* multi_ = nullptr;
  CURL* easy_ = nullptr;
  bool running_ = false;
  bool logged_in_ = false;
  bool proven_ = false;
  bool flooded_ = false;
  bool awaits_place_ = false;  ///< The server has not taken the place to read from yet.
  bool handshake_failed_ = false;
  bool any_tls_ = false;  ///< TLS 1.3 too.
  bool sink_is_full_ = false;
  std::string base_;
  Features features_;
  Setup setup_;
  Sink sink_;
  Source source_;
  Reply reply_;
  int poll_ms_ = 0;  ///< How long to wait next.
  InactivityTimer inactivity_timer_;
  curl_off_t moved_ = 0;  ///< Bytes of the transfer, both ways.
};

}  // namespace coffer::ftp
