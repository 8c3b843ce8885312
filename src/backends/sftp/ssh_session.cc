#include "backends/sftp/ssh_session.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "backends/sftp/failure.h"
#include "backends/sftp/tcp_connect.h"

namespace coffer::sftp {
namespace {

/// Where the processor does AES these are faster than what libssh prefers.
constexpr auto kCiphers =
    "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,"
    "aes128-ctr,aes256-ctr,aes192-ctr";
/// Where there is nothing: the server process's own settings and keys play no part.
constexpr auto kNowhere = "/nonexistent";

bool configure(ssh_session session, const SftpOptions& options, const char* key_kinds, int socket) {
  const bool reads_files = false;
  const unsigned port = options.port;
  const auto set = [&](ssh_options_e which, const void* value) {
    return ::ssh_options_set(session, which, value) == SSH_OK;
  };
  return set(SSH_OPTIONS_PROCESS_CONFIG, &reads_files) && set(SSH_OPTIONS_SSH_DIR, kNowhere) &&
         set(SSH_OPTIONS_KNOWNHOSTS, kNowhere) && set(SSH_OPTIONS_GLOBAL_KNOWNHOSTS, kNowhere) &&
         set(SSH_OPTIONS_HOST, options.host.c_str()) && set(SSH_OPTIONS_PORT, &port) &&
         set(SSH_OPTIONS_USER, options.user.c_str()) && set(SSH_OPTIONS_CIPHERS_C_S, kCiphers) &&
         set(SSH_OPTIONS_CIPHERS_S_C, kCiphers) &&
         (key_kinds == nullptr || set(SSH_OPTIONS_HOSTKEYS, key_kinds)) &&
         set(SSH_OPTIONS_FD, &socket);
}

}  // namespace

void SshSession::Free::operator()(ssh_session session) const {
  ::ssh_disconnect(session);
  ::ssh_free(session);
}

SshSession::~SshSession() {
  // Freeing a session frees its channels too.
  (void)channel_.release();
  session_.reset();
  at_the_end_.reset();
  if (fd_ >= 0) ::close(fd_);
}

Result<std::unique_ptr<SshSession>> SshSession::begin(const SftpOptions& options,
                                                      const TimeLimit& limit,
                                                      const char* key_kinds) {
  const auto socket = tcp_connect(options.host, options.port,
                                  limit.within(options.deadlines.connect), options.may_connect);
  if (!socket) return failure_of(socket);
  std::unique_ptr<SshSession> made(new SshSession);
  made->session_.reset(::ssh_new());
  if (!made->session_ || !configure(made->session_.get(), options, key_kinds, *socket)) {
    ::close(*socket);
    return fail(ErrorCode::failed, "SSH could not be set up.");
  }
  made->fd_ = ::fcntl(*socket, F_DUPFD_CLOEXEC, 0);
  made->at_the_end_.emplace(options.deadlines.ending, AtTheEnd{made.get()});
  ::ssh_set_blocking(made->session_.get(), 0);
  const auto agreed_by = limit.within(options.deadlines.login);
  const int agreed = made->repeat(SSH_AGAIN, agreed_by, ::ssh_connect);
  if (agreed == SSH_OK) return made;
  if (agreed == SSH_AGAIN) return fail_late();
  return fail(ErrorCode::unavailable,
              "The remote server ended the connection before SSH began, or has no way of SSH in "
              "common with "
              "Coffer.");
}

Result<std::string> SshSession::host_key() const {
  ssh_key key = nullptr;
  if (::ssh_get_server_publickey(session_.get(), &key) != SSH_OK) return fail_garbled();
  unsigned char* hash = nullptr;
  std::size_t size = 0;
  const int hashed = ::ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &size);
  ::ssh_key_free(key);
  if (hashed != SSH_OK) return fail_garbled();
  char* text = ::ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size);
  std::string fingerprint = text != nullptr ? text : "";
  ::ssh_string_free_char(text);
  ::ssh_clean_pubkey_hash(&hash);
  return fingerprint;
}

Result<void> SshSession::start_sftp(const TimeLimit& limit) {
  channel_.reset(::ssh_channel_new(session_.get()));
  if (!channel_) return fail_lost();
  const auto open = [&](ssh_session) { return ::ssh_channel_open_session(channel_.get()); };
  const auto ask = [&](ssh_session) { return ::ssh_channel_request_sftp(channel_.get()); };
  int said = repeat(SSH_AGAIN, limit, open);
  if (said == SSH_OK) said = repeat(SSH_AGAIN, limit, ask);
  if (said == SSH_OK) return {};
  if (said == SSH_AGAIN) return fail_late();
  return fail(ErrorCode::unavailable, "The remote server does not serve SFTP.");
}

Result<std::size_t> SshSession::read(std::span<char> out) {
  const int count = ::ssh_channel_read_nonblocking(channel_.get(), out.data(),
                                                   static_cast<std::uint32_t>(out.size()), 0);
  if (count > 0) return static_cast<std::size_t>(count);
  const bool over = count == SSH_ERROR || count == SSH_EOF ||
                    ::ssh_channel_is_eof(channel_.get()) != 0 ||
                    ::ssh_is_connected(session_.get()) == 0;
  if (over) return fail_lost();
  return 0;
}

Result<std::size_t> SshSession::write(std::string_view data) {
  const int count =
      ::ssh_channel_write(channel_.get(), data.data(), static_cast<std::uint32_t>(data.size()));
  if (count == SSH_AGAIN) return 0;
  if (count < 0) return fail_lost();
  return static_cast<std::size_t>(count);
}

bool SshSession::has_unsent() const {
  return (::ssh_get_poll_flags(session_.get()) & SSH_WRITE_PENDING) != 0;
}

void SshSession::cut() const {
  ::shutdown(fd(), SHUT_RDWR);
}

void SshSession::wait_ready(const TimeLimit& limit) const {
  pollfd waiting{fd(), POLLIN, 0};
  if (has_unsent()) waiting.events |= POLLOUT;
  ::poll(&waiting, 1, limit.left_ms());
}

}  // namespace coffer::sftp
