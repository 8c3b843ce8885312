#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/curl/curl.h"
#include "backends/ftp/ftp_options.h"
#include "backends/ftp/reply.h"
#include "backends/ftp/transport.h"

namespace coffer::ftp {

/// Receives bytes of a download or listing. Takes all of them and returns true, or takes none and
/// returns false. After false, Connection::wake offers the bytes again.
using Sink = std::function<bool(std::span<const std::byte>)>;
/// Fills `out` and returns the number of bytes: 0 at the end of the content, nullopt if no bytes
/// are available yet. After nullopt, the upload pauses until Connection::unpause is called.
using Source = std::function<std::optional<std::size_t>(std::span<std::byte> out)>;

/// One control connection to an FTP server, with its data connections. The first call connects and
/// logs in. Calls block, so the caller must be on a thread of a pool. Only one thread may use the
/// object at a time.
///
/// The server may close an idle connection. If the first command or transfer after an idle time
/// fails for this reason, the object connects again and repeats it, but only once. If the
/// connection breaks later, the call fails, because the server's session state is lost.
class Connection {
 public:
  explicit Connection(std::shared_ptr<const FtpOptions> options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Connects and logs in, unless already done. `unavailable` or `timed_out` if the server cannot
  /// be used; if this machine has no free descriptors, the error that `lack_of` returns.
  Result<void> ready();
  /// Valid after `ready` has succeeded.
  const Features& features() const { return features_; }
  /// Makes a path that is relative to FtpOptions::root absolute, in the server's character set.
  /// `invalid` if that set lacks a character of it. Valid after `ready` has succeeded.
  Result<std::string> place(const std::string& below_root) const;

  /// Sends one command line. Returns the reply if it is a refusal or one that `wanted` allows.
  /// After any other reply, closes the connection and fails with `unavailable`; the server may have
  /// carried out the command. `invalid` if the line is longer than FTP servers accept.
  Result<Reply> command(const std::string& line, Wanted wanted = Wanted::done);
  /// Sends a command with one path; see `place` and `command`.
  Result<Reply> command_at(const std::string& verb, const std::string& below_root,
                           Wanted wanted = Wanted::done);
  /// Sends one line and ignores the reply. Fails if the connection breaks or the line is too long.
  Result<void> tell(const std::string& line);

  /// These functions begin a transfer. The caller must continue it with `advance`, which fails with
  /// `timed_out` if a listing is too slow (ListingPace). `place` is an absolute path on the server.
  /// `verb` is a whole command, such as `LIST -a`.
  Result<void> begin_list(std::string verb, Sink sink);
  Result<void> begin_download(std::string place, std::uint64_t offset, Sink sink);
  Result<void> begin_upload(std::string place, Source source);
  /// Continues the transfer as far as possible without blocking. If `wait` is true, first waits up
  /// to 200 ms for the server. Returns true if the transfer has ended successfully, and false if it
  /// must be continued. After an error there is no transfer any more.
  Result<bool> advance(bool wait);
  /// Returns true if `has_data` can be used. Over TLS it cannot, because bytes that have arrived
  /// may be TLS messages without content.
  bool shows_data() const { return options_->tls == Tls::none; }
  /// True if `advance(false)` would deliver bytes of a download without blocking. Always false over
  /// TLS. Also false at the end of the data, where `advance` would block until the server replies.
  bool has_data() const { return shows_data() && sockets_.has_data(); }
  /// Must be called before `advance` if the caller has paused a transfer. Restarts the deadline.
  /// Offers the sink again the bytes that it refused, possibly before this call returns.
  void wake();
  /// Resumes an upload after its source returned nullopt. The source must now have bytes or end.
  void unpause();
  /// Ends a running transfer by closing the connection.
  void abort();
  /// Drops the sink and the source, so that they are not called any more. Does not block.
  void abandon();

  /// Returns the text of all replies to the last command or transfer, and the last reply's code.
  const Reply& reply() const { return reply_; }
  /// True if the connection is logged in and no transfer is running.
  bool connected() const { return logged_in_ && !running_; }
  /// Returns false if the connection is not logged in, or if the server has hung up or sent
  /// anything since the last command. Call it before an idle connection is used again.
  bool undisturbed() const { return logged_in_ && !sockets_.disturbed(); }
  /// Marks the connection as idle: if the next command or transfer finds it broken, it reconnects.
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

  /// Shared, because a thread of the pool may destroy a connection after the backend is destroyed.
  const std::shared_ptr<const FtpOptions> options_;
  Sockets sockets_;
  CURLM* multi_ = nullptr;
  CURL* easy_ = nullptr;
  bool running_ = false;
  bool logged_in_ = false;
  bool proven_ = false;   ///< The server has replied since the connection was last idle.
  bool flooded_ = false;  ///< The server sent a reply that is too long.
  bool awaits_offset_reply_ = false;  ///< The server has not accepted the offset of a download yet.
  bool handshake_failed_ = false;
  bool any_tls_ = false;  ///< TLS 1.3 is allowed as well as TLS 1.2.
  bool sink_is_full_ = false;
  std::string base_;
  Features features_;
  Setup setup_;
  Sink sink_;
  Source source_;
  Reply reply_;
  int poll_ms_ = 0;  ///< The timeout of the next poll.
  InactivityTimer inactivity_timer_;
  curl_off_t moved_ = 0;  ///< The number of bytes that the transfer has sent and received.
};

}  // namespace coffer::ftp
