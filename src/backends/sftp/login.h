#pragma once

#include "backends/sftp/sftp_options.h"
#include "backends/sftp/ssh_session.h"
#include "backends/sftp/time_limit.h"

namespace coffer::sftp {

/// One login (RFC 4252): the private key, then the password, then keyboard-interactive, as far as
/// there are such and the server offers them. `unavailable` when all were refused. The server's key
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
