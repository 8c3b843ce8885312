#include "core/connector_service.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "async/run.h"
#include "base/random.h"
#include "core/no_backends.h"

namespace coffer::core {
namespace {

namespace fs = std::filesystem;
using catalog::ConnectorKind;

class ConnectorServiceTest : public testing::Test {
 protected:
  ConnectorServiceTest() : folder_(fs::temp_directory_path() / ("coffer-core-" + random_hex(8))) {
    fs::create_directory(folder_);
    catalog_ = catalog::Catalog::open("sqlite://" + (folder_ / "catalog").string()).value();
    catalog::NewAccount account;
    account.name = "ada";
    account_ = run(catalog_->accounts().add(std::move(account))).value().id;
  }
  ~ConnectorServiceTest() override {
    catalog_.reset();
    fs::remove_all(folder_);
  }

  ConnectorService service() { return {*catalog_, backends_, sealer_, true}; }
  static ConnectorWish ftp(TlsMode tls) {
    ConnectorWish wish;
    wish.name = "nas";
    wish.host = "files.example.org";
    wish.user = "ada";
    wish.tls = tls;
    wish.secret = "first";
    return wish;
  }
  static ConnectorWish sftp() {
    ConnectorWish wish = ftp(TlsMode::none);
    wish.host_key = "SHA256:" + std::string(43, 'A');
    return wish;
  }
  void add(ConnectorKind kind, ConnectorWish wish) {
    ASSERT_TRUE(run(service().add(account_, kind, std::move(wish))));
  }
  /// The message of a refusal; empty for what works.
  std::string change(ConnectorWish wish) {
    const auto changed = run(service().change(account_, id(), std::move(wish)));
    return changed ? "" : changed.error().message;
  }
  /// The same for a wish for another TLS mode.
  std::string change(TlsMode tls, std::optional<std::string> secret = {}) {
    ConnectorWish wish;
    wish.tls = tls;
    wish.secret = std::move(secret);
    return change(std::move(wish));
  }
  ConnectorId id(const std::string& name = "nas") {
    return run(service().find(account_, name)).value().id;
  }
  ConnectorSettings settings() {
    return settings_of(run(service().find(account_, "nas")).value()).value();
  }
  ConnectorSecret secret() {
    const auto connector = run(service().find(account_, "nas")).value();
    return secret_of(sealer_.open(connector.sealed_secret).value()).value();
  }

  const fs::path folder_;
  const Sealer sealer_{Sealer::make_key()};
  NoBackends backends_;
  std::unique_ptr<catalog::Catalog> catalog_;
  AccountId account_;
};

TEST_F(ConnectorServiceTest, GivingUpTlsNeedsTheSecretAgain) {
  add(ConnectorKind::ftp, ftp(TlsMode::explicit_));
  EXPECT_NE(change(TlsMode::none).find("again"), std::string::npos);
  EXPECT_EQ(settings().tls, TlsMode::explicit_);
  EXPECT_EQ(change(TlsMode::none, "second"), "");
  EXPECT_EQ(settings().tls, TlsMode::none);
  EXPECT_EQ(secret().secret, "second");
}

TEST_F(ConnectorServiceTest, GivingUpImplicitTlsOnAPortOfItsOwnNeedsTheSecretAgain) {
  ConnectorWish wish = ftp(TlsMode::implicit);
  wish.port = 2121;
  add(ConnectorKind::ftp, std::move(wish));
  EXPECT_NE(change(TlsMode::none).find("again"), std::string::npos);
  EXPECT_EQ(change(TlsMode::explicit_), "");
  EXPECT_EQ(settings().port, 2121);
}

TEST_F(ConnectorServiceTest, WhereAUsersServerMayLieIsWidenedOnlyByAHost) {
  ConnectorService users(*catalog_, backends_, sealer_, false);
  ASSERT_TRUE(run(users.add(account_, ConnectorKind::ftp, ftp(TlsMode::none))));
  EXPECT_FALSE(settings().may_be_private);
  ConnectorWish wish;
  wish.description = "Ours";
  wish.user = "bob";
  EXPECT_EQ(change(wish), "");
  EXPECT_FALSE(settings().may_be_private);
  wish.host = "files.example.org";
  EXPECT_EQ(change(wish), "");
  EXPECT_TRUE(settings().may_be_private);
  ConnectorWish labels;
  labels.description = "Mine";
  ASSERT_TRUE(run(users.change(account_, id(), labels)));
  EXPECT_TRUE(settings().may_be_private);
  labels.root = "elsewhere";
  ASSERT_TRUE(run(users.change(account_, id(), labels)));
  EXPECT_FALSE(settings().may_be_private);
}

TEST_F(ConnectorServiceTest, AnIdIsFoundBeforeANameThatLooksLikeIt) {
  ConnectorWish wish = ftp(TlsMode::none);
  wish.name = "z";
  add(ConnectorKind::ftp, wish);
  const ConnectorId first = id("z");
  wish.name = first.value;
  add(ConnectorKind::ftp, wish);
  EXPECT_EQ(id(first.value), first);
  ASSERT_TRUE(run(service().remove(account_, first)));
  EXPECT_NE(id(first.value), first);
}

TEST_F(ConnectorServiceTest, TakingUpTlsNeedsNoSecret) {
  add(ConnectorKind::ftp, ftp(TlsMode::none));
  EXPECT_EQ(change(TlsMode::explicit_), "");
  EXPECT_EQ(settings().tls, TlsMode::explicit_);
  EXPECT_EQ(secret().secret, "first");
}

TEST_F(ConnectorServiceTest, ADefaultPortFollowsTheTlsMode) {
  add(ConnectorKind::ftp, ftp(TlsMode::explicit_));
  EXPECT_EQ(settings().port, 21);
  // Another port is another server, also this one.
  EXPECT_NE(change(TlsMode::implicit).find("again"), std::string::npos);
  EXPECT_EQ(change(TlsMode::implicit, "second"), "");
  EXPECT_EQ(settings().port, 990);
  EXPECT_EQ(change(TlsMode::none, "third"), "");
  EXPECT_EQ(settings().port, 21);
}

TEST_F(ConnectorServiceTest, APortThatIsSaidStays) {
  add(ConnectorKind::ftp, ftp(TlsMode::explicit_));
  ConnectorWish wish;
  wish.tls = TlsMode::implicit;
  wish.port = 21;
  EXPECT_EQ(change(wish), "");
  EXPECT_EQ(settings().port, 21);
}

TEST_F(ConnectorServiceTest, APassphraseNeedsItsPrivateKey) {
  ConnectorWish wish = sftp();
  wish.passphrase = "phrase";
  const auto refused = run(service().add(account_, ConnectorKind::sftp, wish));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  wish.credential = Credential::private_key;
  wish.secret.reset();
  EXPECT_FALSE(run(service().add(account_, ConnectorKind::sftp, wish)));
  wish.secret = "key";
  add(ConnectorKind::sftp, wish);
  EXPECT_EQ(secret().passphrase, "phrase");
  ConnectorWish other;
  other.passphrase = "other";
  EXPECT_NE(change(other).find("private key"), std::string::npos);
  other.secret = "key";
  EXPECT_EQ(change(other), "");
  EXPECT_EQ(secret().passphrase, "other");
  other.credential = Credential::password;
  EXPECT_NE(change(other).find("private key"), std::string::npos);
}

}  // namespace
}  // namespace coffer::core
