#include "core/connectors/drive_service.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "async/run.h"
#include "base/random.h"
#include "core/connectors/connector_service.h"
#include "core/connectors/testing/fake_providers.h"
#include "core/testing/no_backends.h"

namespace coffer::core {
namespace {

namespace fs = std::filesystem;
using catalog::Connector;

class DriveServiceTest : public testing::Test {
 protected:
  DriveServiceTest() : folder_(fs::temp_directory_path() / ("coffer-core-" + random_hex(8))) {
    fs::create_directory(folder_);
    catalog_ = catalog::Catalog::open("sqlite://" + (folder_ / "catalog").string()).value();
    catalog::NewAccount account;
    account.name = "ada";
    account_ = run(catalog_->accounts().add(std::move(account))).value().id;
  }
  ~DriveServiceTest() override {
    catalog_.reset();
    fs::remove_all(folder_);
  }

  DriveService service() { return {*catalog_, providers_, sealer_, true}; }
  static DrivePatch web() {
    DrivePatch patch;
    patch.name = "Web";
    patch.type = "web";
    patch.root = "/some//folder/";
    patch.parameters = {
        {"url", "https://one.example"}, {"user", "ada-lovelace"}, {"pass", "hunter2"}};
    return patch;
  }
  static DrivePatch cloud() {
    DrivePatch patch;
    patch.name = "Cloud";
    patch.type = "cloud";
    return patch;
  }
  static DrivePatch with(DriveParameters parameters) {
    DrivePatch patch;
    patch.parameters = std::move(parameters);
    return patch;
  }
  Connector add(DrivePatch patch) { return run(service().add(account_, std::move(patch))).value(); }
  Connector log_in(DrivePatch patch) {
    return run(service().add_with_login(account_, std::move(patch), {{"token", "first"}})).value();
  }
  /// The message of a refusal; empty for what works.
  std::string change(DrivePatch patch, const std::string& name = "Web") {
    const auto changed = run(service().change(account_, found(name).id, std::move(patch)));
    return changed ? "" : changed.error().message;
  }
  Connector found(const std::string& name = "Web") {
    return run(find_connector(catalog_->connectors(), account_, name)).value();
  }
  DriveSettings settings(const std::string& name = "Web") {
    return service().settings_of(found(name)).value();
  }
  void add_key() {
    catalog::NewKey key;
    key.account = account_;
    key.name = "part";
    key.folder = Path::parse("__conn_" + found().id.value + "/part").value();
    key.hash[0] = std::byte(++keys_made_);
    ASSERT_TRUE(run(catalog_->keys().create(std::move(key))));
  }
  std::size_t count_keys() {
    return run(catalog_->keys().list(account_, std::nullopt)).value().size();
  }

  const fs::path folder_;
  const Sealer sealer_{Sealer::make_key()};
  FakeProviders providers_;
  std::unique_ptr<catalog::Catalog> catalog_;
  AccountId account_;
  std::uint8_t keys_made_ = 0;
};

TEST_F(DriveServiceTest, KeepsNoParameterInTheClear) {
  const Connector made = add(web());
  EXPECT_EQ(made.kind, catalog::ConnectorKind::drive);
  EXPECT_EQ(made.target, "web:some/folder");
  EXPECT_EQ(settings().parameters, web().parameters);
  EXPECT_TRUE(settings().may_be_private);
  const std::string told = made.target + made.settings + made.sealed_secret + made.description;
  for (const char* const hidden : {"hunter2", "ada-lovelace", "one.example"}) {
    EXPECT_EQ(told.find(hidden), std::string::npos) << hidden;
  }
}

TEST_F(DriveServiceTest, RefusesWhatCannotBe) {
  const auto refusal = [&](DrivePatch patch) {
    const auto made = run(service().add(account_, std::move(patch)));
    EXPECT_FALSE(made);
    return made ? "" : made.error().message;
  };
  DrivePatch patch = web();
  patch.type = "local";
  EXPECT_EQ(refusal(patch), "No such provider.");
  patch.type.reset();
  EXPECT_EQ(refusal(patch), "A cloud drive needs its provider.");
  patch = web();
  patch.parameters["key_file"] = "/etc/passwd";
  EXPECT_EQ(refusal(patch), "key_file is not allowed.");
  patch = web();
  patch.parameters["url"] = "";
  EXPECT_EQ(refusal(patch), "Give url.");
  patch = web();
  patch.root = "../up";
  EXPECT_NE(refusal(patch), "");
  patch = web();
  patch.name.reset();
  EXPECT_EQ(refusal(patch), "A connector needs a name.");
  EXPECT_NE(refusal(cloud()), "");
}

TEST_F(DriveServiceTest, GivenParametersReplaceAndEmptyOnesRemove) {
  add(web());
  EXPECT_EQ(change(with({{"user", ""}, {"pass", "second"}, {"flag", "true"}})), "");
  const DriveParameters expected = {
      {"url", "https://one.example"}, {"pass", "second"}, {"flag", "true"}};
  EXPECT_EQ(settings().parameters, expected);
  EXPECT_EQ(settings().root, "some/folder");
  EXPECT_EQ(change(with({{"url", ""}, {"pass", "x"}})), "Give url.");
  EXPECT_EQ(settings().parameters, expected);
}

TEST_F(DriveServiceTest, TheProviderStays) {
  add(web());
  DrivePatch patch;
  patch.type = "cloud";
  EXPECT_NE(change(patch).find("cannot be changed"), std::string::npos);
  patch.type = "web";
  EXPECT_EQ(change(patch), "");
}

TEST_F(DriveServiceTest, AnotherAddressNeedsTheSecretsAgain) {
  add(web());
  EXPECT_NE(change(with({{"url", "https://two.example"}})).find("again: pass"), std::string::npos);
  EXPECT_NE(change(with({{"host", "two.example"}})).find("again: pass"), std::string::npos);
  EXPECT_EQ(settings().parameters, web().parameters);
  EXPECT_EQ(change(with({{"url", "https://one.example"}})), "");
  EXPECT_EQ(change(with({{"url", "https://two.example"}, {"pass", "hunter2"}})), "");
  EXPECT_EQ(settings().parameters.at("url"), "https://two.example");
  // Secrets that go away go nowhere.
  EXPECT_EQ(change(with({{"url", "https://three.example"}, {"pass", ""}})), "");
}

TEST_F(DriveServiceTest, WhereAUsersDriveMayLeadIsWidenedOnlyByAnAddress) {
  DriveService users(*catalog_, providers_, sealer_, false);
  ASSERT_TRUE(run(users.add(account_, web())));
  EXPECT_FALSE(settings().may_be_private);
  DrivePatch labels;
  labels.description = "Ours";
  EXPECT_EQ(change(labels), "");
  EXPECT_EQ(change(with({{"user", "bob"}, {"pass", "second"}})), "");
  EXPECT_FALSE(settings().may_be_private);
  EXPECT_EQ(change(with({{"host", "two.example"}, {"pass", "third"}})), "");
  EXPECT_FALSE(settings().may_be_private);  // The url is still what the user said.
  EXPECT_EQ(change(with({{"host", ""}, {"url", "https://one.example"}, {"pass", "x"}})), "");
  EXPECT_TRUE(settings().may_be_private);
  ASSERT_TRUE(run(users.change(account_, found().id, with({{"pass", "fourth"}}))));
  EXPECT_TRUE(settings().may_be_private);
  ASSERT_TRUE(run(users.change(account_, found().id, with({{"user", "ann"}}))));
  EXPECT_FALSE(settings().may_be_private);
}

TEST_F(DriveServiceTest, WhatLeadsElsewhereRevokesTheKeys) {
  add(web());
  const auto revokes = [&](DrivePatch patch) {
    add_key();
    EXPECT_EQ(change(std::move(patch)), "");
    return count_keys() == 0;
  };
  DrivePatch labels;
  labels.description = "Ours";
  labels.root = "some/folder";
  EXPECT_FALSE(revokes(labels));
  EXPECT_FALSE(revokes(with({{"pass", "second"}, {"user", "ada-lovelace"}})));
  EXPECT_TRUE(revokes(with({{"robot", "ann first"}})));
  EXPECT_FALSE(revokes(with({{"robot", "ann second"}})));
  EXPECT_TRUE(revokes(with({{"robot", "bob second"}})));
  EXPECT_TRUE(revokes(with({{"robot", ""}})));
  EXPECT_TRUE(revokes(with({{"user", "bob"}})));
  EXPECT_TRUE(revokes(with({{"flag", "true"}})));
  EXPECT_TRUE(revokes(with({{"flag", ""}})));
  EXPECT_TRUE(revokes(with({{"url", "https://two.example"}, {"pass", "x"}})));
  DrivePatch root;
  root.root = "other";
  EXPECT_TRUE(revokes(root));
}

TEST_F(DriveServiceTest, EachChangeOfTheSettingsMakesAnotherRevision) {
  add(web());
  const DriveSettings first = settings();
  DrivePatch labels;
  labels.name = "Web";
  labels.read_only = true;
  EXPECT_EQ(change(labels), "");
  EXPECT_EQ(settings().revision, first.revision);
  EXPECT_EQ(change(with({{"flag", "true"}})), "");
  const DriveSettings second = settings();
  EXPECT_NE(second.revision, first.revision);
  EXPECT_EQ(second.login, first.login);
  EXPECT_EQ(change(with({{"pass", "second"}})), "");
  EXPECT_NE(settings().revision, second.revision);
  EXPECT_NE(settings().login, second.login);
}

TEST_F(DriveServiceTest, ALoginIsKeptWithWhatTheProviderTells) {
  EXPECT_EQ(log_in(cloud()).target, "cloud:");
  EXPECT_EQ(settings("Cloud").parameters,
            (DriveParameters{{"drive", "first"}, {"token", "first!"}}));
  const auto again = run(service().add_with_login(account_, cloud(), {{"token", "x"}}));
  EXPECT_EQ(again.error().code, ErrorCode::exists);
  DrivePatch other = web();
  EXPECT_EQ(run(service().may_log_in(account_, other)).error().code, ErrorCode::invalid);
  EXPECT_EQ(providers_.logins, 1);
}

TEST_F(DriveServiceTest, NobodyLogsInForWhatCannotBe) {
  DrivePatch patch = cloud();
  patch.parameters = {{"flag", "unready"}};
  EXPECT_EQ(run(service().may_log_in(account_, patch)).error().message, "Not ready.");
  patch = web();
  EXPECT_EQ(run(service().may_log_in(account_, patch)).error().code, ErrorCode::invalid);
}

TEST_F(DriveServiceTest, OfALoginOnlyWhatIsAllowedIsTaken) {
  DrivePatch patch = cloud();
  patch.parameters = {{"host", "given"}, {"token", "old"}};
  const DriveParameters login = {
      {"token", "new"}, {"host", "told"}, {"user", "told"}, {"config_x", "y"}, {"flag", ""}};
  ASSERT_TRUE(run(service().add_with_login(account_, patch, login)));
  EXPECT_EQ(settings("Cloud").parameters,
            (DriveParameters{
                {"drive", "first"}, {"host", "given"}, {"token", "new!"}, {"user", "told"}}));
}

TEST_F(DriveServiceTest, ARenewedLoginReplacesTheTokenAlone) {
  DrivePatch patch = cloud();
  patch.parameters = {{"drive", "mine"}, {"client_secret", "s"}};
  log_in(patch);
  const DriveSettings before = settings("Cloud");
  ASSERT_TRUE(run(service().renew_login(account_, found("Cloud").id, {{"token", "second"}})));
  EXPECT_EQ(settings("Cloud").parameters,
            (DriveParameters{{"client_secret", "s"}, {"drive", "mine"}, {"token", "second!"}}));
  EXPECT_NE(settings("Cloud").login, before.login);
  const auto moved = run(service().renew_login(account_, found("Cloud").id,
                                               {{"token", "third"}, {"host", "elsewhere"}}));
  EXPECT_NE(moved.error().message.find("again: client_secret"), std::string::npos);
  add(web());
  EXPECT_FALSE(run(service().renew_login(account_, found("Web").id, {{"token", "x"}})));
}

TEST_F(DriveServiceTest, KeepsTokensThatTheProviderRenews) {
  const Connector made = log_in(cloud());
  const DriveSettings before = settings("Cloud");
  ASSERT_TRUE(run(service().keep_token(made, "second")));
  ASSERT_TRUE(run(service().keep_token(made, "third")));
  EXPECT_EQ(settings("Cloud").parameters.at("token"), "third");
  EXPECT_EQ(settings("Cloud").revision, before.revision);
  // What does not concern the login leaves it as it is.
  EXPECT_EQ(change(with({{"flag", "true"}}), "Cloud"), "");
  EXPECT_EQ(settings("Cloud").parameters.at("token"), "third");
  ASSERT_TRUE(run(service().keep_token(made, "fourth")));
  EXPECT_EQ(settings("Cloud").parameters.at("token"), "fourth");
  EXPECT_EQ(settings("Cloud").parameters.at("flag"), "true");
}

TEST_F(DriveServiceTest, ARaceThatIsAlwaysLostIsNoSuccessAndNoMissingConnector) {
  const Connector made = log_in(cloud());
  const std::string parameters = sealer_.open(made.sealed_secret).value();
  providers_.during_check = [&] {
    catalog::ConnectorChange change;
    change.sealed_secret = sealer_.seal(parameters);
    ASSERT_TRUE(run(catalog_->connectors().set(account_, made.id, change)));
  };
  EXPECT_EQ(run(service().keep_token(made, "second")).error(), catalog::kConflict);
  EXPECT_NE(change(with({{"flag", "true"}}), "Cloud").find("at the same time"), std::string::npos);
  EXPECT_EQ(settings("Cloud").parameters.at("token"), "first!");
}

TEST_F(DriveServiceTest, ATokenOfAnEarlierLoginIsNotKept) {
  const Connector made = log_in(cloud());
  EXPECT_EQ(change(with({{"token", "by hand"}}), "Cloud"), "");
  ASSERT_TRUE(run(service().keep_token(made, "late")));
  EXPECT_EQ(settings("Cloud").parameters.at("token"), "by hand");
  const Connector second = found("Cloud");
  EXPECT_EQ(change(with({{"client_id", "another"}}), "Cloud"), "");
  ASSERT_TRUE(run(service().keep_token(second, "late")));
  EXPECT_EQ(settings("Cloud").parameters.at("token"), "by hand");
  ASSERT_TRUE(run(catalog_->connectors().remove(account_, made.id)));
  EXPECT_TRUE(run(service().keep_token(second, "late")));
}

TEST_F(DriveServiceTest, EachKindHasItsOwnService) {
  add(web());
  NoBackends backends;
  ConnectorService servers(*catalog_, backends, sealer_, true);
  ConnectorPatch patch;
  patch.host = "two.example";
  EXPECT_EQ(run(servers.change(account_, found().id, patch)).error().code, ErrorCode::invalid);
  patch.name = "Files";
  patch.user = "ada";
  patch.secret = "x";
  ASSERT_TRUE(run(servers.add(account_, catalog::ConnectorKind::ftp, patch)));
  EXPECT_NE(change(with({{"user", "x"}}), "Files").find("no cloud drive"), std::string::npos);
}

}  // namespace
}  // namespace coffer::core
