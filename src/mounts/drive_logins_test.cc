#include "core/connectors/drive_logins.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mounts/testing/connectors_fixture.h"

namespace coffer::mounts {
namespace {

using core::AccountConnectors;
using core::BegunLogin;
using core::challenge_of;
using core::CodeGrant;
using core::ConnectorOwner;
using core::ConnectorPatch;
using core::DriveLogins;
using core::DriveParameters;
using core::FinishedLogin;
using core::PendingLogin;
using core::state_of;

constexpr const char* kBack = "https://files.example/back";
const DriveParameters kClient = {{"client_id", "c&d"}, {"client_secret", "hunter2"}};

class FakeTokenServers final : public core::TokenServers {
 public:
  Task<Result<std::string>> exchange(AccountId, bool may_be_private, CodeGrant grant) override {
    is_private = may_be_private;
    grants.push_back(std::move(grant));
    co_return "fresh";
  }

  std::vector<CodeGrant> grants;
  bool is_private = false;
};

class NoHealth final : public core::ConnectorHealth {
  core::ServerHealth health_of(const ConnectorId&) override { return {}; }
};

class DriveLoginsTest : public ConnectorsFixture {
 protected:
  DriveLoginsTest() {
    ada_.account = account_;
    logins_.emplace(connectors_, providers_, sealer_, servers_);
  }

  static ConnectorPatch cloud(DriveParameters parameters = kClient) {
    ConnectorPatch patch;
    patch.provider = "cloud";
    patch.parameters = std::move(parameters);
    return patch;
  }
  static ConnectorOwner as_administrator(ConnectorOwner owner) {
    owner.asker.emplace().must_be_admin = true;
    return owner;
  }
  Result<BegunLogin> try_begin(ConnectorPatch patch, std::optional<ConnectorId> id = {}) {
    return run(logins_->begin(ada_, std::move(id), std::move(patch), kBack));
  }
  BegunLogin begin(ConnectorPatch patch = cloud()) { return try_begin(std::move(patch)).value(); }
  static FinishedLogin finished(const BegunLogin& begun) {
    return {begun.login, state_of(begun.login), "the-code"};
  }
  /// The message of a refusal; empty for what works.
  std::string end(ConnectorOwner owner, FinishedLogin login) {
    const auto ended = run(logins_->end(std::move(owner), std::move(login)));
    return ended ? "" : ended.error().message;
  }

  Result<DriveParameters> end_by_command(ConnectorPatch patch, DriveParameters printed,
                                         std::optional<ConnectorId> id = {}) {
    return run(logins_->end_by_command(ada_, std::move(id), std::move(patch), std::move(printed)));
  }

  FakeTokenServers servers_;
  NoHealth health_;
  AccountConnectors connectors_{*catalog_, backends_, types_, providers_, sealer_, health_};
  ConnectorOwner ada_;
  std::optional<DriveLogins> logins_;
};

TEST_F(DriveLoginsTest, WithoutAClientThereIsTheCommandAlone) {
  const BegunLogin begun = begin(cloud({{"drive", "d"}, {"client_secret", "hunter2"}}));
  EXPECT_TRUE(begun.command.starts_with("rclone authorize \"cloud\""));
  EXPECT_EQ(begun.secret_variable, "RCLONE_CLOUD_CLIENT_SECRET");
  EXPECT_EQ(begun.address, "");
  EXPECT_EQ(begun.login, "");
}

TEST_F(DriveLoginsTest, TheAddressAsksAsTheStandardSays) {
  const BegunLogin begun = begin();
  EXPECT_TRUE(begun.address.starts_with(
      "https://cloud.example/agree?old=1&response_type=code&client_id=c%26d&redirect_uri="
      "https%3A%2F%2Ffiles.example%2Fback&state=" +
      state_of(begun.login) + "&code_challenge="))
      << begun.address;
  EXPECT_TRUE(
      begun.address.ends_with("&code_challenge_method=S256&scope=all%20files&access=offline"))
      << begun.address;
  EXPECT_EQ((begun.address + begun.command).find("hunter2"), std::string::npos);
  EXPECT_LE(begun.expires_at, now() + DriveLogins::kLife);
  EXPECT_NE(begin().address, begun.address);
}

TEST_F(DriveLoginsTest, WhatIsNotLoggedInToInABrowserIsRefused) {
  ConnectorPatch web = cloud({{"url", "https://one.example"}});
  web.provider = "web";
  EXPECT_EQ(try_begin(web).error().code, ErrorCode::invalid);
  web.provider = "no such";
  EXPECT_EQ(try_begin(web).error().code, ErrorCode::invalid);
  EXPECT_EQ(try_begin(cloud({{"flag", "unready"}})).error().message, "Not ready.");
  EXPECT_EQ(try_begin(cloud(), ConnectorId{"none"}).error().code, ErrorCode::not_found);
  EXPECT_FALSE(try_begin(ConnectorPatch{}));
}

TEST_F(DriveLoginsTest, TheCodeIsExchangedWithWhatItWasAskedForWith) {
  const BegunLogin begun = begin();
  const auto found = run(logins_->end(ada_, finished(begun)));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, (DriveParameters{{"token", "fresh"}}));
  ASSERT_EQ(servers_.grants.size(), 1U);
  const CodeGrant& grant = servers_.grants.front();
  EXPECT_EQ(grant.token_url, "https://cloud.example/token");
  EXPECT_EQ(grant.token_type, "Cloudy");
  EXPECT_EQ(grant.code, "the-code");
  EXPECT_EQ(grant.redirect, kBack);
  EXPECT_EQ(grant.client_id, "c&d");
  EXPECT_EQ(grant.client_secret, "hunter2");
  EXPECT_GE(grant.verifier.size(), 43U);
  EXPECT_NE(begun.address.find("&code_challenge=" + challenge_of(grant.verifier) + "&"),
            std::string::npos);
  EXPECT_FALSE(servers_.is_private);
}

TEST_F(DriveLoginsTest, ALoginIsForWhoBeganItAlone) {
  const BegunLogin begun = begin();
  ConnectorOwner other;
  other.account = AccountId{ada_.account.value + 1};
  EXPECT_NE(end(other, finished(begun)).find("Another account"), std::string::npos);
  EXPECT_NE(end(as_administrator(other), finished(begun)).find("Another account"),
            std::string::npos);
  FinishedLogin mixed = finished(begun);
  mixed.state = state_of(begin().login);
  EXPECT_NE(end(ada_, mixed).find("state"), std::string::npos);
  FinishedLogin altered = finished(begun);
  altered.login[50] = altered.login[50] == 'A' ? 'B' : 'A';
  EXPECT_NE(end(ada_, altered).find("altered"), std::string::npos);
  EXPECT_TRUE(servers_.grants.empty());
  EXPECT_EQ(end(ada_, finished(begun)), "");
}

TEST_F(DriveLoginsTest, WhatAnAdministratorBeganEndsWithThatRight) {
  const auto begun = run(logins_->begin(as_administrator(ada_), {}, cloud(), kBack)).value();
  EXPECT_NE(end(ada_, finished(begun)).find("administrator"), std::string::npos);
  EXPECT_TRUE(servers_.grants.empty());
  EXPECT_EQ(end(as_administrator(ada_), finished(begun)), "");
  EXPECT_TRUE(servers_.is_private);
}

TEST_F(DriveLoginsTest, OneThatTookTooLongIsRefused) {
  PendingLogin login;
  login.account = ada_.account;
  login.settings.provider = "cloud";
  login.settings.parameters = kClient;
  login.expires_at = now() - std::chrono::seconds(1);
  const std::string sealed = seal_login(login, sealer_);
  EXPECT_NE(end(ada_, {sealed, state_of(sealed), "c"}).find("10 minutes"), std::string::npos);
  EXPECT_TRUE(servers_.grants.empty());
}

TEST_F(DriveLoginsTest, WhatTheDriveCannotDoWithoutIsAskedFor) {
  providers_.wants_drive = true;
  const auto found = run(logins_->end(ada_, finished(begin())));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (DriveParameters{{"token", "fresh!"}, {"drive", "first"}}));
  EXPECT_EQ(
      run(logins_->end(ada_, finished(begin(cloud({{"client_id", "c"}, {"drive", "d"}}))))).value(),
      (DriveParameters{{"token", "fresh"}}));
  EXPECT_EQ(providers_.logins, 1);
}

TEST_F(DriveLoginsTest, ADriveThatIsThereKeepsItsSecretsUnlessItLeadsElsewhere) {
  core::ConnectorService drives = service(false);
  ConnectorPatch patch = cloud(kClient);
  patch.name = "Cloud";
  patch.parameters["token"] = "old";
  patch.parameters["host"] = "one";
  const auto made =
      run(drives.add(account_, catalog::ConnectorKind::drive, std::move(patch))).value();
  const auto begun = try_begin(ConnectorPatch{}, made.id);
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_EQ(end(ada_, finished(*begun)), "");
  EXPECT_EQ(servers_.grants.front().client_secret, "hunter2");
  ConnectorPatch elsewhere;
  elsewhere.parameters = {{"host", "two"}};
  const auto refused = try_begin(std::move(elsewhere), made.id);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("secrets said again"), std::string::npos);
}

TEST_F(DriveLoginsTest, ALoginByTheCommandHasWhatTheProviderTells) {
  EXPECT_EQ(end_by_command(cloud(), {{"token", "new"}}).value(),
            (DriveParameters{{"drive", "first"}, {"token", "new!"}}));
  EXPECT_EQ(providers_.logins, 1);
  ConnectorPatch web = cloud({{"url", "https://one.example"}});
  web.provider = "web";
  EXPECT_EQ(end_by_command(web, {{"token", "new"}}).error().code, ErrorCode::invalid);
  EXPECT_EQ(end_by_command(cloud({{"flag", "unready"}}), {{"token", "new"}}).error().message,
            "Not ready.");
  EXPECT_EQ(end_by_command(cloud(), {{"host", "told"}}).error().code, ErrorCode::invalid);
  EXPECT_EQ(providers_.logins, 1);
}

TEST_F(DriveLoginsTest, OfWhatTheCommandPrintedOnlyWhatIsAllowedIsTaken) {
  const auto found =
      end_by_command(cloud({{"token", "old"}}),
                     {{"token", "new"}, {"user", "told"}, {"config_x", "y"}, {"flag", ""}});
  EXPECT_EQ(found.value(),
            (DriveParameters{{"drive", "first"}, {"token", "new!"}, {"user", "told"}}));
}

TEST_F(DriveLoginsTest, ARenewedLoginByTheCommandReplacesTheTokenAlone) {
  core::ConnectorService drives = service(false);
  ConnectorPatch patch = cloud({{"drive", "mine"}, {"client_secret", "s"}, {"token", "old"}});
  patch.name = "Cloud";
  const auto made =
      run(drives.add(account_, catalog::ConnectorKind::drive, std::move(patch))).value();
  const auto login = end_by_command(ConnectorPatch{}, {{"token", "second"}}, made.id);
  EXPECT_EQ(login.value(), (DriveParameters{{"token", "second!"}}));
  ConnectorPatch renewed;
  renewed.parameters = *login;
  const core::ConnectorSettings before = settings("Cloud");
  ASSERT_TRUE(run(drives.change(account_, made.id, std::move(renewed))));
  EXPECT_EQ(settings("Cloud").parameters,
            (DriveParameters{{"client_secret", "s"}, {"drive", "mine"}, {"token", "second!"}}));
  EXPECT_NE(settings("Cloud").login, before.login);
  const auto elsewhere =
      end_by_command(ConnectorPatch{}, {{"token", "third"}, {"host", "elsewhere"}}, made.id);
  ConnectorPatch moved;
  moved.parameters = elsewhere.value();
  const auto refused = run(drives.change(account_, made.id, std::move(moved)));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("again: client_secret"), std::string::npos);
}

TEST_F(DriveLoginsTest, AServerHasNoLoginByTheCommand) {
  ConnectorPatch patch;
  patch.name = "Files";
  patch.host = "one.example";
  patch.user = "ada";
  patch.secret = "x";
  const auto made =
      run(service().add(account_, catalog::ConnectorKind::ftp, std::move(patch))).value();
  EXPECT_EQ(end_by_command(ConnectorPatch{}, {{"token", "x"}}, made.id).error().code,
            ErrorCode::invalid);
}

}  // namespace
}  // namespace coffer::mounts
