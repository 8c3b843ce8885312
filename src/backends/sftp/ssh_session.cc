#include "backends/sftp/ssh_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/system/system_error.hpp>

#include "async/run.h"
#include "backends/remote/dialer.h"
#include "backends/sftp/failure.h"

namespace coffer::sftp {
namespace {

std::unexpected<Error> fail_unconnected(const Error& error, const std::string& host) {
  switch (error.code) {
    case ErrorCode::not_found:
      return fail(ErrorCode::unavailable,
                  fmt::format("The remote server's name is not known: {}.", host));
    case ErrorCode::forbidden:
      return fail(ErrorCode::unavailable,
                  "Connections to the remote server's address are not allowed.");
    case ErrorCode::unavailable:
      return fail(ErrorCode::unavailable, "The remote server cannot be reached.");
    case ErrorCode::timed_out:
      return fail_late();
    default:
      return std::unexpected(error);
  }
}

Task<Result<int>> connect(const std::string& host, std::uint16_t port,
                          std::chrono::milliseconds limit, const storage::MayConnect& may_connect) {
  remote::Dialer dialer(co_await asio::this_coro::executor, may_connect);
  auto socket = co_await dialer.connect(host, port, limit);
  if (!socket) co_return fail_unconnected(socket.error(), host);
  socket->native_non_blocking(true);
  co_return socket->release();
}

/// With AES in the processor, these are faster than the ones that libssh prefers.
constexpr auto kCiphers =
    "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,"
    "aes128-ctr,aes256-ctr,aes192-ctr";
/// An empty folder, so that the server process's own settings and keys have no effect.
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

/// The limit of questions: a server may ask without end.
constexpr int kMaxRounds = 8;

struct FreeKey {
  void operator()(ssh_key key) const { ::ssh_key_free(key); }
};

}  // namespace

Result<int> tcp_connect(const std::string& host, std::uint16_t port, const TimeLimit& limit,
                        const storage::MayConnect& may_connect) {
  const std::chrono::milliseconds left(limit.left_ms());
  try {
    return run(connect(host, port, left, may_connect));
  } catch (const boost::system::system_error& error) {
    // Waiting takes descriptors too.
    return std::unexpected(lack_of(error.code().value())
                               .value_or(Error{ErrorCode::failed, "No socket could be opened."}));
  }
}

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
  TRY(const auto socket, tcp_connect(options.host, options.port,
                                     limit.within(options.deadlines.connect), options.may_connect));
  std::unique_ptr<SshSession> made(new SshSession);
  made->session_.reset(::ssh_new());
  if (!made->session_ || !configure(made->session_.get(), options, key_kinds, socket)) {
    ::close(socket);
    return fail(ErrorCode::failed, "SSH could not be set up.");
  }
  made->fd_ = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
  made->at_the_end_.emplace(options.deadlines.ending, AtTheEnd{made.get()});
  ::ssh_set_blocking(made->session_.get(), 0);
  const auto agreed_by = limit.within(options.deadlines.login);
  const int agreed = made->repeat(SSH_AGAIN, agreed_by, ::ssh_connect);
  if (agreed == SSH_OK) return made;
  if (agreed == SSH_AGAIN) return fail_late();
  return fail(
      ErrorCode::unavailable,
      "The remote server ended the connection before SSH began, or has no SSH algorithms in "
      "common with Coffer.");
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

template <class Step>
int Login::ask(Step step) {
  const int said = session_.repeat(SSH_AUTH_AGAIN, limit_, step);
  session_.repeat(SSH_AUTH_AGAIN, limit_, [&](ssh_session session) {
    offered_ = ::ssh_userauth_list(session, nullptr);
    return SSH_AUTH_SUCCESS;
  });
  return said;
}

bool Login::offers(int method) {
  return (offered_ & method) != 0;
}

Result<void> Login::run() {
  int said = ask([](ssh_session session) { return ::ssh_userauth_none(session, nullptr); });
  const auto go_on = [&] { return said == SSH_AUTH_DENIED || said == SSH_AUTH_PARTIAL; };
  if (go_on() && !options_.credential.private_key.empty() && offers(SSH_AUTH_METHOD_PUBLICKEY)) {
    TRY(said, by_key());
  }
  if (options_.credential.password.empty()) return outcome(said);
  if (go_on() && offers(SSH_AUTH_METHOD_PASSWORD)) said = by_password();
  if (go_on() && offers(SSH_AUTH_METHOD_INTERACTIVE)) said = by_keyboard();
  return outcome(said);
}

Result<int> Login::by_key() {
  const auto& [password, text, passphrase] = options_.credential;
  ssh_key read = nullptr;
  const char* secret = passphrase.empty() ? nullptr : passphrase.c_str();
  if (::ssh_pki_import_privkey_base64(text.c_str(), secret, nullptr, nullptr, &read) != SSH_OK) {
    return fail(ErrorCode::unavailable,
                "The private key for the remote server cannot be read with its passphrase.");
  }
  const std::unique_ptr<ssh_key_struct, FreeKey> key(read);
  return ask(
      [&](ssh_session session) { return ::ssh_userauth_publickey(session, nullptr, key.get()); });
}

int Login::by_password() {
  return ask([&](ssh_session session) {
    return ::ssh_userauth_password(session, nullptr, options_.credential.password.c_str());
  });
}

int Login::by_keyboard() {
  const auto step = [](ssh_session session) {
    return ::ssh_userauth_kbdint(session, nullptr, nullptr);
  };
  int said = ask(step);
  for (int round = 0; said == SSH_AUTH_INFO && round < kMaxRounds; ++round) {
    session_.repeat(SSH_AUTH_AGAIN, limit_, [&](ssh_session session) {
      answer_prompts(session);
      return SSH_AUTH_SUCCESS;
    });
    said = ask(step);
  }
  return said;
}

/// The server does not ask for the password if it wants the answer shown while it is typed.
void Login::answer_prompts(ssh_session session) const {
  const int prompts = ::ssh_userauth_kbdint_getnprompts(session);
  for (int i = 0; i < prompts; ++i) {
    const auto index = static_cast<unsigned>(i);
    char is_shown = 0;
    ::ssh_userauth_kbdint_getprompt(session, index, &is_shown);
    const char* answer = is_shown != 0 ? "" : options_.credential.password.c_str();
    ::ssh_userauth_kbdint_setanswer(session, index, answer);
  }
}

Result<void> Login::outcome(int said) const {
  switch (said) {
    case SSH_AUTH_SUCCESS:
      return {};
    case SSH_AUTH_AGAIN:
      return fail_late();
    case SSH_AUTH_ERROR:
      return fail(ErrorCode::unavailable, "The remote server broke off the login.");
    default:
      return fail(ErrorCode::unavailable, "The remote server refused the login.");
  }
}

}  // namespace coffer::sftp
