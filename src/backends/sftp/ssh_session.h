#pragma once

#include <libssh/libssh.h>

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "backends/sftp/sftp_options.h"
#include "backends/sftp/time_limit.h"
#include "base/error.h"

namespace coffer::sftp {

/// One SSH connection and its one channel, the `sftp` subsystem: a stream of bytes. Not safe for
/// concurrent calls, but for `fd` and `cut`. Nothing waits but `begin`, `start_sftp` and
/// `wait_ready`, each within its limit.
class SshSession {
 public:
  /// Connects and agrees on keys. `unavailable` or `timed_out`. `key_kinds` are the kinds of host
  /// key that will do, those that libssh prefers if null. `limit` is for all that is done until a
  /// connection can be used; each step has its own deadline too.
  static Result<std::unique_ptr<SshSession>> begin(const SftpOptions& options,
                                                   const TimeLimit& limit,
                                                   const char* key_kinds = nullptr);
  ~SshSession();
  SshSession(const SshSession&) = delete;
  SshSession& operator=(const SshSession&) = delete;

  /// The fingerprint of the server's key, as `ssh-keygen -lf` prints it.
  Result<std::string> host_key() const;
  Result<void> start_sftp(const TimeLimit& limit);

  /// What has arrived, up to `out.size()`; 0 when nothing has.
  Result<std::size_t> read(std::span<char> out);
  /// Takes from the front of `data` what may be sent now; 0 when nothing may.
  Result<std::size_t> write(std::string_view data);
  /// True if bytes that `write` took have not left this process yet.
  bool has_unsent() const;

  int fd() const { return fd_; }
  /// Ends the connection; waiting calls wake up.
  void cut() const;

  /// Repeats `step` until it says something else than `again`, waiting for the server in between;
  /// returns what it said, or `again` when the limit has passed.
  template <class Step>
  int repeat(int again, const TimeLimit& limit, Step step);

 private:
  struct Free {
    void operator()(ssh_session session) const;
    void operator()(ssh_channel channel) const { ::ssh_channel_free(channel); }
  };
  SshSession() = default;
  void wait_ready(const TimeLimit& limit) const;

  /// Of the same socket: libssh closes its own whenever it finds an error, under a waiting thread.
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

}  // namespace coffer::sftp
