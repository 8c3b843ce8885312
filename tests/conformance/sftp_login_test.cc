#include "conformance/sftp_fixture.h"
#include "servers/loopback.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;

class SftpLogin : public SftpTest {
 protected:
  /// What looking at the root with these options fails with, or nothing.
  std::optional<Error> failure() {
    reopen();
    const Path root;
    const auto entry = run(backend().stat(root));
    if (entry) return std::nullopt;
    return entry.error();
  }
  bool is_refused() {
    const auto error = failure();
    return error && error->code == ErrorCode::unavailable &&
           error->message.contains("refused the login");
  }
  /// From here on to a server that wants passwords.
  void go_to(const servers::SshServer& server) {
    options_.port = server.port();
    options_.host_key = server.host_key();
    options_.root = "";
  }
  void expect_the_password_alone_opens(const servers::SshServer& server) {
    go_to(server);
    options_.credential = {.password = servers::SshServer::kPassword};
    EXPECT_EQ(failure(), std::nullopt);
    options_.credential = {.password = "wrong"};
    EXPECT_TRUE(is_refused());
  }
};

TEST_F(SftpLogin, APrivateKeyOpens) {
  EXPECT_EQ(failure(), std::nullopt);
}

TEST_F(SftpLogin, AnRsaKeyOpens) {
  options_.credential.private_key = ssh_server().rsa_private_key();
  EXPECT_EQ(failure(), std::nullopt);
}

TEST_F(SftpLogin, APrivateKeyWithAPassphraseOpensWithIt) {
  options_.credential.private_key = ssh_server().locked_private_key();
  options_.credential.passphrase = servers::SshServer::kPassphrase;
  EXPECT_EQ(failure(), std::nullopt);
  for (const auto* wrong : {"", "wrong"}) {
    options_.credential.passphrase = wrong;
    const auto error = failure();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::unavailable);
    EXPECT_TRUE(error->message.contains("private key")) << error->message;
  }
}

TEST_F(SftpLogin, AStrangeKeyIsRefused) {
  options_.credential.private_key = ssh_server().strange_private_key();
  EXPECT_TRUE(is_refused());
}

TEST_F(SftpLogin, APasswordOpens) {
  const servers::SshServer server(
      {.lines = {"PasswordAuthentication yes", "KbdInteractiveAuthentication no",
                 "PubkeyAuthentication no"},
       .takes_password = true});
  expect_the_password_alone_opens(server);
}

TEST_F(SftpLogin, APasswordAnswersTheKeyboard) {
  const servers::SshServer server(
      {.lines = {"KbdInteractiveAuthentication yes", "PubkeyAuthentication no"},
       .takes_password = true});
  expect_the_password_alone_opens(server);
}

TEST_F(SftpLogin, AServerMayWantAKeyAndAPassword) {
  const servers::SshServer server(
      {.lines = {"PasswordAuthentication yes", "AuthenticationMethods publickey,password"},
       .takes_password = true});
  go_to(server);
  options_.credential = {.private_key = server.private_key()};
  EXPECT_TRUE(is_refused());
  options_.credential.password = servers::SshServer::kPassword;
  EXPECT_EQ(failure(), std::nullopt);
}

TEST_F(SftpLogin, AChangedHostKeyEndsItBeforeAnythingSecretIsSent) {
  const servers::SshServer other({.lines = {"LogLevel DEBUG1"}});
  options_.port = other.port();
  const auto error = failure();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::unavailable);
  EXPECT_TRUE(error->message.starts_with("The host key of 127.0.0.1 is not the one"))
      << error->message;
  EXPECT_TRUE(ssh_server().log().contains("userauth-request"));
  EXPECT_FALSE(other.log().contains("userauth-request"));
}

TEST_F(SftpLogin, AnyOfTheServersKeysMayBeThePinnedOne) {
  options_.host_key = ssh_server().second_host_key();
  EXPECT_EQ(failure(), std::nullopt);
}

TEST_F(SftpLogin, TheHostKeyIsToldForTheFirstUse) {
  const auto key = sftp::host_key_of("localhost", line_.port(), {}, {});
  EXPECT_EQ(key, ssh_server().host_key());
}

TEST_F(SftpLogin, OpeningDoesNotConnect) {
  static_cast<void>(backend());
  EXPECT_EQ(line_.connections(), 0);
}

TEST_F(SftpLogin, AnAddressThatMayNotBeConnectedToIsNot) {
  int asked = 0;
  options_.may_connect = [&](const sockaddr& address) {
    asked += address.sa_family == AF_INET;
    return false;
  };
  const auto error = failure();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::unavailable);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(line_.connections(), 0);
}

TEST_F(SftpLogin, ADeadPortIsUnavailable) {
  options_.port = servers::free_port();
  EXPECT_EQ(failure()->code, ErrorCode::unavailable);
}

TEST_F(SftpLogin, AnUnknownNameIsUnavailable) {
  options_.host = "no-such-host.invalid";
  const auto code = failure()->code;
  EXPECT_TRUE(code == ErrorCode::unavailable || code == ErrorCode::timed_out);
}

TEST_F(SftpLogin, AServerThatIsSilentTimesOut) {
  options_.deadlines.login = 50ms;
  line_.fail(servers::FaultyLine::Fault::stall, servers::FaultyLine::Way::to_client, 0);
  EXPECT_EQ(failure()->code, ErrorCode::timed_out);
}

TEST_F(SftpLogin, WhatIsMissingIsSaidAtOnce) {
  auto options = options_;
  options.host = "";
  EXPECT_EQ(code_of(sftp::SftpBackend::open(options, pool_)), ErrorCode::invalid);
  options = options_;
  options.credential = {};
  EXPECT_EQ(code_of(sftp::SftpBackend::open(options, pool_)), ErrorCode::invalid);
  options = options_;
  options.host_key = "";
  EXPECT_EQ(code_of(sftp::SftpBackend::open(options, pool_)), ErrorCode::invalid);
}

}  // namespace
}  // namespace coffer::conformance
