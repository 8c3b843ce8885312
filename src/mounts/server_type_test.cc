#include "mounts/server_type.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "mounts/testing/connectors_fixture.h"

namespace coffer::mounts {
namespace {

using catalog::ConnectorKind;
using core::ConnectorPatch;
using core::ConnectorService;
using core::ConnectorSettings;
using core::Credential;
using core::TlsMode;

class ServerTypeTest : public ConnectorsFixture {
 protected:
  static ConnectorPatch ftp(TlsMode tls) {
    ConnectorPatch patch;
    patch.name = "nas";
    patch.host = "files.example.org";
    patch.user = "ada";
    patch.tls = tls;
    patch.secret = "first";
    return patch;
  }
  static ConnectorPatch sftp() {
    ConnectorPatch patch = ftp(TlsMode::none);
    patch.host_key = "SHA256:" + std::string(43, 'A');
    return patch;
  }
  void add(ConnectorKind kind, ConnectorPatch patch) {
    ASSERT_TRUE(run(service().add(account_, kind, std::move(patch))));
  }
  /// The message of a refusal; empty for what works.
  std::string change(ConnectorPatch patch) {
    const auto changed = run(service().change(account_, id(), std::move(patch)));
    return changed ? "" : changed.error().message;
  }
  /// The same for a patch for another TLS mode.
  std::string change(TlsMode tls, std::optional<std::string> secret = {}) {
    ConnectorPatch patch;
    patch.tls = tls;
    patch.secret = std::move(secret);
    return change(std::move(patch));
  }
  ConnectorId id(const std::string& name = "nas") { return found(name).id; }
  ConnectorSettings settings() { return ConnectorsFixture::settings("nas"); }
  ServerSecret secret() {
    return secret_of(sealer_.open(found("nas").sealed_secret).value()).value();
  }
};

TEST_F(ServerTypeTest, AHostHasNoPort) {
  for (const char* host :
       {"files.example.org:2121", "192.0.2.1:21", "[2001:db8::1]", "::1:x", ""}) {
    ConnectorPatch patch = ftp(TlsMode::none);
    patch.host = host;
    const auto added = run(service().add(account_, ConnectorKind::ftp, std::move(patch)));
    EXPECT_TRUE(!added && added.error().code == ErrorCode::invalid) << host;
  }
  ConnectorPatch patch = ftp(TlsMode::none);
  patch.host = "2001:db8::1";
  add(ConnectorKind::ftp, std::move(patch));
}

TEST_F(ServerTypeTest, TheCharacterSetIsKeptAndChanged) {
  add(ConnectorKind::ftp, ftp(TlsMode::none));
  EXPECT_EQ(settings().character_set, CharacterSet::utf_8);
  ConnectorPatch patch;
  patch.character_set = CharacterSet::windows_1252;
  EXPECT_EQ(change(std::move(patch)), "");
  EXPECT_EQ(settings().character_set, CharacterSet::windows_1252);
  EXPECT_EQ(change(TlsMode::explicit_), "");
  EXPECT_EQ(settings().character_set, CharacterSet::windows_1252);
}

TEST_F(ServerTypeTest, GivingUpTlsNeedsTheSecretAgain) {
  add(ConnectorKind::ftp, ftp(TlsMode::explicit_));
  EXPECT_NE(change(TlsMode::none).find("again"), std::string::npos);
  EXPECT_EQ(settings().tls, TlsMode::explicit_);
  EXPECT_EQ(change(TlsMode::none, "second"), "");
  EXPECT_EQ(settings().tls, TlsMode::none);
  EXPECT_EQ(secret().secret, "second");
}

TEST_F(ServerTypeTest, GivingUpImplicitTlsOnAPortOfItsOwnNeedsTheSecretAgain) {
  ConnectorPatch patch = ftp(TlsMode::implicit);
  patch.port = 2121;
  add(ConnectorKind::ftp, std::move(patch));
  EXPECT_NE(change(TlsMode::none).find("again"), std::string::npos);
  EXPECT_EQ(change(TlsMode::explicit_), "");
  EXPECT_EQ(settings().port, 2121);
}

TEST_F(ServerTypeTest, WhereAUsersServerMayLieIsWidenedOnlyByAHost) {
  ConnectorService users = service(false);
  ASSERT_TRUE(run(users.add(account_, ConnectorKind::ftp, ftp(TlsMode::none))));
  EXPECT_FALSE(settings().may_be_private);
  ConnectorPatch patch;
  patch.description = "Ours";
  patch.user = "bob";
  EXPECT_EQ(change(patch), "");
  EXPECT_FALSE(settings().may_be_private);
  patch.host = "files.example.org";
  EXPECT_EQ(change(patch), "");
  EXPECT_TRUE(settings().may_be_private);
  ConnectorPatch labels;
  labels.description = "Mine";
  ASSERT_TRUE(run(users.change(account_, id(), labels)));
  EXPECT_TRUE(settings().may_be_private);
  labels.root = "elsewhere";
  ASSERT_TRUE(run(users.change(account_, id(), labels)));
  EXPECT_FALSE(settings().may_be_private);
}

TEST_F(ServerTypeTest, TakingUpTlsNeedsNoSecret) {
  add(ConnectorKind::ftp, ftp(TlsMode::none));
  EXPECT_EQ(change(TlsMode::explicit_), "");
  EXPECT_EQ(settings().tls, TlsMode::explicit_);
  EXPECT_EQ(secret().secret, "first");
}

TEST_F(ServerTypeTest, ADefaultPortFollowsTheTlsMode) {
  add(ConnectorKind::ftp, ftp(TlsMode::explicit_));
  EXPECT_EQ(settings().port, 21);
  // Another port is another server, also this one.
  EXPECT_NE(change(TlsMode::implicit).find("again"), std::string::npos);
  EXPECT_EQ(change(TlsMode::implicit, "second"), "");
  EXPECT_EQ(settings().port, 990);
  EXPECT_EQ(change(TlsMode::none, "third"), "");
  EXPECT_EQ(settings().port, 21);
}

TEST_F(ServerTypeTest, APortThatIsSaidStays) {
  add(ConnectorKind::ftp, ftp(TlsMode::explicit_));
  ConnectorPatch patch;
  patch.tls = TlsMode::implicit;
  patch.port = 21;
  EXPECT_EQ(change(patch), "");
  EXPECT_EQ(settings().port, 21);
}

TEST_F(ServerTypeTest, APassphraseNeedsItsPrivateKey) {
  ConnectorPatch patch = sftp();
  patch.passphrase = "phrase";
  const auto refused = run(service().add(account_, ConnectorKind::sftp, patch));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  patch.credential = Credential::private_key;
  patch.secret.reset();
  EXPECT_FALSE(run(service().add(account_, ConnectorKind::sftp, patch)));
  patch.secret = "key";
  add(ConnectorKind::sftp, patch);
  EXPECT_EQ(secret().passphrase, "phrase");
  ConnectorPatch other;
  other.passphrase = "other";
  EXPECT_NE(change(other).find("private key"), std::string::npos);
  other.secret = "key";
  EXPECT_EQ(change(other), "");
  EXPECT_EQ(secret().passphrase, "other");
  other.credential = Credential::password;
  EXPECT_NE(change(other).find("private key"), std::string::npos);
}

}  // namespace
}  // namespace coffer::mounts
