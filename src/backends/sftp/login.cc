#include "backends/sftp/login.h"

#include "backends/sftp/failure.h"

namespace coffer::sftp {
namespace {

/// A server that asks without end is not answered without end.
constexpr int kMaxRounds = 8;

struct FreeKey {
  void operator()(ssh_key key) const { ::ssh_key_free(key); }
};

}  // namespace

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
    const auto by = by_key();
    if (!by) return failure_of(by);
    said = *by;
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

/// What the server shows while it is typed is not the password.
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
