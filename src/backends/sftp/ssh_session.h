#pragma once

#include <libssh/libssh.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "backends/sftp/sftp_options.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::sftp {

/// A moment by which a step must be done.
class TimeLimit {
 public:
  explicit TimeLimit(std::chrono::milliseconds from_now) : end_(Clock::now() + from_now) {}

  /// Returns the earlier of this limit and `from_now` from now.
  TimeLimit within(std::chrono::milliseconds from_now) const {
    const TimeLimit other(from_now);
    return other.end_ < end_ ? other : *this;
  }
  bool is_over() const { return Clock::now() >= end_; }
  std::chrono::steady_clock::time_point end() const { return end_; }
  /// Returns the time left for poll(2): in milliseconds, rounded up, 0 when it is over.
  int left_ms() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_;
};

/// Resolves the name and connects to the first of its addresses that may be connected to and
/// answers, all within `limit`. Returns a non-blocking socket that the caller owns. `unavailable`
/// when the name or no address leads anywhere, `timed_out`. Blocks.
Result<int> tcp_connect(const std::string& host, std::uint16_t port, const TimeLimit& limit,
                        const storage::MayConnect& may_connect);

/// One SSH connection and its one channel, the `sftp` subsystem: a stream of bytes. Not safe for
/// concurrent calls, but for `fd` and `cut`. Only `begin`, `start_sftp` and `wait_ready` wait, each
/// within its limit.
class SshSession {
 public:
  /// Connects and agrees on keys. `unavailable` or `timed_out`. `key_kinds` are the accepted kinds
  /// of host key, those that libssh prefers if null. `limit` is for all steps of connecting; each
  /// step has its own deadline too.
  static Result<std::unique_ptr<SshSession>> begin(const SftpOptions& options,
                                                   const TimeLimit& limit,
                                                   const char* key_kinds = nullptr);
  ~SshSession();
  SshSession(const SshSession&) = delete;
  SshSession& operator=(const SshSession&) = delete;

  /// The fingerprint of the server's key, as `ssh-keygen -lf` prints it.
  Result<std::string> host_key() const;
  Result<void> start_sftp(const TimeLimit& limit);

  /// Reads the bytes that have arrived, up to `out.size()`; returns 0 if there are none.
  Result<std::size_t> read(std::span<char> out);
  /// Sends bytes from the front of `data`; returns how many, 0 if none may be sent now.
  Result<std::size_t> write(std::string_view data);
  /// True if bytes that `write` took are still in this process.
  bool has_unsent() const;

  int fd() const { return fd_; }
  /// Ends the connection; waiting calls wake up.
  void cut() const;

  /// Repeats `step` until it returns something else than `again`, and waits for the server in
  /// between. Returns that, or `again` when the limit has passed.
  template <class Step>
  int repeat(int again, const TimeLimit& limit, Step step);

 private:
  struct Free {
    void operator()(ssh_session session) const;
    void operator()(ssh_channel channel) const { ::ssh_channel_free(channel); }
  };
  SshSession() = default;
  void wait_ready(const TimeLimit& limit) const;

  /// A duplicate of the socket: libssh closes its own whenever it finds an error, also under a
  /// waiting thread.
  int fd_ = -1;
  struct AtTheEnd {
    const SshSession* session;
    void operator()() const { session->cut(); }
  };
  std::optional<std::stop_callback<AtTheEnd>> at_the_end_;
  std::unique_ptr<ssh_session_struct, Free> session_;
  std::unique_ptr<ssh_channel_struct, Free> channel_;
};

template <class Step>
int SshSession::repeat(int again, const TimeLimit& limit, Step step) {
  for (;;) {
    const int said = step(session_.get());
    if (said != again || limit.is_over()) return said;
    wait_ready(limit);
  }
}

/// One login (RFC 4252): by the private key, then the password, then keyboard-interactive, as far
/// as they are given and the server offers them. `unavailable` if all are refused. The server's key
/// must have been checked before.
class Login {
 public:
  Login(SshSession& session, const SftpOptions& options, const TimeLimit& limit)
      : session_(session), options_(options), limit_(limit.within(options.deadlines.login)) {}
  Result<void> run();

 private:
  template <class Step>
  int ask(Step step);
  Result<int> by_key();
  int by_password();
  int by_keyboard();
  void answer_prompts(ssh_session session) const;
  bool offers(int method);
  Result<void> outcome(int said) const;

  SshSession& session_;
  const SftpOptions& options_;
  const TimeLimit limit_;
  int offered_ = 0;
};

}  // namespace coffer::sftp
