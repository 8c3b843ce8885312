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

/// The time by which a step must end.
class TimeLimit {
 public:
  explicit TimeLimit(std::chrono::milliseconds from_now) : end_(Clock::now() + from_now) {}

  /// Returns the earlier of two limits: this one, and the time `from_now` from now.
  TimeLimit within(std::chrono::milliseconds from_now) const {
    const TimeLimit other(from_now);
    return other.end_ < end_ ? other : *this;
  }
  bool is_over() const { return Clock::now() >= end_; }
  std::chrono::steady_clock::time_point end() const { return end_; }
  /// Returns the time left in milliseconds, for poll(2): rounded up, 0 if the limit is over.
  int left_ms() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_;
};

/// Tries the allowed addresses of the host, and connects to the first that answers. Returns a
/// non-blocking socket that the caller owns. `limit` is for the whole call. Fails as
/// remote::Dialer::connect does, but `unavailable` replaces `not_found` and `forbidden`. Blocks.
Result<int> tcp_connect(const std::string& host, std::uint16_t port, const TimeLimit& limit,
                        const storage::MayConnect& may_connect);

/// One SSH connection with one channel to the server's `sftp` subsystem. The channel carries a
/// stream of bytes. Only `fd` and `cut` may be called while another thread is in a call. Only
/// `begin`, `start_sftp` and `repeat` block, each within its limit.
class SshSession {
 public:
  /// Connects, and agrees on session keys with the server. `key_kinds` lists the accepted kinds of
  /// host key; null for the kinds that libssh prefers. `limit` is the time limit for the whole
  /// call; each step also has its own deadline. `unavailable` or `timed_out` if the server
  /// cannot be used, `failed` if libssh cannot be set up.
  static Result<std::unique_ptr<SshSession>> begin(const SftpOptions& options,
                                                   const TimeLimit& limit,
                                                   const char* key_kinds = nullptr);
  ~SshSession();
  SshSession(const SshSession&) = delete;
  SshSession& operator=(const SshSession&) = delete;

  /// Returns the fingerprint of the server's host key, as `ssh-keygen -lf` prints it.
  Result<std::string> host_key() const;
  /// Opens the channel. `unavailable` if the server has no SFTP, `timed_out` if the limit has
  /// passed.
  Result<void> start_sftp(const TimeLimit& limit);

  /// Reads bytes that have arrived, up to `out.size()`. Returns their number, 0 if there are none.
  Result<std::size_t> read(std::span<char> out);
  /// Sends bytes from the front of `data`. Returns their number, 0 if none can be sent now.
  Result<std::size_t> write(std::string_view data);
  /// True if bytes that `write` accepted have not left this process yet.
  bool has_unsent() const;

  int fd() const { return fd_; }
  /// Ends the connection. Calls that wait for the server then return.
  void cut() const;

  /// Calls `step` repeatedly as long as it returns `again`, and waits for the server between two
  /// calls. Returns the last result of `step`, which is `again` if the limit has passed.
  template <class Step>
  int repeat(int again, const TimeLimit& limit, Step step);

 private:
  struct Free {
    void operator()(ssh_session session) const;
    void operator()(ssh_channel channel) const { ::ssh_channel_free(channel); }
  };
  SshSession() = default;
  void wait_ready(const TimeLimit& limit) const;

  /// A duplicate of the socket's descriptor, for polling. libssh's own descriptor is not safe to
  /// poll: libssh closes it on an error, even while another thread polls it.
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

/// One login (RFC 4252). Tries the private key, then the password, then the password by
/// keyboard-interactive. Skips a method for which no credential is given or which the server does
/// not offer. The caller must have checked the server's host key.
class Login {
 public:
  Login(SshSession& session, const SftpOptions& options, const TimeLimit& limit)
      : session_(session), options_(options), limit_(limit.within(options.deadlines.login)) {}
  /// Logs in. `unavailable` if the server refuses the login or the private key cannot be read,
  /// `timed_out` if the limit has passed.
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
