#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "mounts/connector_types.h"
#include "mounts/testing/connectors_fixture.h"

namespace coffer::mounts {
namespace {

using catalog::Connector;
using core::ConnectorPatch;
using core::ConnectorService;
using core::ConnectorSettings;
using core::DriveParameters;
constexpr auto kDrive = catalog::ConnectorKind::drive;

class DriveTypeTest : public ConnectorsFixture {
 protected:
  static ConnectorPatch web() {
    ConnectorPatch patch;
    patch.name = "Web";
    patch.provider = "web";
    patch.root = "/some//folder/";
    patch.parameters = {
        {"url", "https://one.example"}, {"user", "ada-lovelace"}, {"pass", "hunter2"}};
    return patch;
  }
  static ConnectorPatch cloud() {
    ConnectorPatch patch;
    patch.name = "Cloud";
    patch.provider = "cloud";
    return patch;
  }
  static ConnectorPatch with(DriveParameters parameters) {
    ConnectorPatch patch;
    patch.parameters = std::move(parameters);
    return patch;
  }
  Connector add(ConnectorPatch patch) {
    return run(service().add(account_, kDrive, std::move(patch))).value();
  }
  Connector add_cloud() {
    ConnectorPatch patch = cloud();
    patch.parameters = {{"token", "first"}};
    return add(std::move(patch));
  }
  /// The message of a refusal; empty for what works.
  std::string change(ConnectorPatch patch, const std::string& name = "Web") {
    const auto changed = run(service().change(account_, found(name).id, std::move(patch)));
    return changed ? "" : changed.error().message;
  }
  Connector found(const std::string& name = "Web") { return ConnectorsFixture::found(name); }
  ConnectorSettings settings(const std::string& name = "Web") {
    return ConnectorsFixture::settings(name);
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

  std::uint8_t keys_made_ = 0;
};

TEST_F(DriveTypeTest, KeepsNoParameterInTheClear) {
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

TEST_F(DriveTypeTest, RefusesWhatCannotBe) {
  const auto refusal = [&](ConnectorPatch patch) {
    const auto made = run(service().add(account_, kDrive, std::move(patch)));
    EXPECT_FALSE(made);
    return made ? "" : made.error().message;
  };
  ConnectorPatch patch = web();
  patch.provider = "local";
  EXPECT_EQ(refusal(patch), "No such provider.");
  patch.provider.reset();
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

TEST_F(DriveTypeTest, GivenParametersReplaceAndEmptyOnesRemove) {
  add(web());
  EXPECT_EQ(change(with({{"user", ""}, {"pass", "second"}, {"flag", "true"}})), "");
  const DriveParameters expected = {
      {"url", "https://one.example"}, {"pass", "second"}, {"flag", "true"}};
  EXPECT_EQ(settings().parameters, expected);
  EXPECT_EQ(settings().root, "some/folder");
  EXPECT_EQ(change(with({{"url", ""}, {"pass", "x"}})), "Give url.");
  EXPECT_EQ(settings().parameters, expected);
}

TEST_F(DriveTypeTest, TheProviderStays) {
  add(web());
  ConnectorPatch patch;
  patch.provider = "cloud";
  EXPECT_NE(change(patch).find("cannot be changed"), std::string::npos);
  patch.provider = "web";
  EXPECT_EQ(change(patch), "");
}

TEST_F(DriveTypeTest, AnotherAddressNeedsTheSecretsAgain) {
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

TEST_F(DriveTypeTest, WhereAUsersDriveMayLeadIsWidenedOnlyByAnAddress) {
  ConnectorService users = service(false);
  ASSERT_TRUE(run(users.add(account_, kDrive, web())));
  EXPECT_FALSE(settings().may_be_private);
  ConnectorPatch labels;
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

TEST_F(DriveTypeTest, WhatLeadsElsewhereRevokesTheKeys) {
  add(web());
  const auto revokes = [&](ConnectorPatch patch) {
    add_key();
    EXPECT_EQ(change(std::move(patch)), "");
    return count_keys() == 0;
  };
  ConnectorPatch labels;
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
  ConnectorPatch root;
  root.root = "other";
  EXPECT_TRUE(revokes(root));
}

TEST_F(DriveTypeTest, EachChangeOfTheSettingsMakesAnotherRevision) {
  add(web());
  const ConnectorSettings first = settings();
  ConnectorPatch labels;
  labels.name = "Web";
  labels.read_only = true;
  EXPECT_EQ(change(labels), "");
  EXPECT_EQ(settings().revision, first.revision);
  EXPECT_EQ(change(with({{"flag", "true"}})), "");
  const ConnectorSettings second = settings();
  EXPECT_NE(second.revision, first.revision);
  EXPECT_EQ(second.login, first.login);
  EXPECT_EQ(change(with({{"pass", "second"}})), "");
  EXPECT_NE(settings().revision, second.revision);
  EXPECT_NE(settings().login, second.login);
}

TEST_F(DriveTypeTest, KeepsTokensThatTheProviderRenews) {
  const Connector made = add_cloud();
  const ConnectorSettings before = settings("Cloud");
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

TEST_F(DriveTypeTest, ARaceThatIsAlwaysLostIsNoSuccessAndNoMissingConnector) {
  const Connector made = add_cloud();
  const std::string parameters = sealer_.open(made.sealed_secret).value();
  providers_.during_check = [&] {
    catalog::ConnectorChange change;
    change.sealed_secret = sealer_.seal(parameters);
    ASSERT_TRUE(run(catalog_->connectors().set(account_, made.id, change)));
  };
  EXPECT_EQ(run(service().keep_token(made, "second")).error(), catalog::kConflict);
  EXPECT_NE(change(with({{"flag", "true"}}), "Cloud").find("at the same time"), std::string::npos);
  EXPECT_EQ(settings("Cloud").parameters.at("token"), "first");
}

TEST_F(DriveTypeTest, ATokenOfAnEarlierLoginIsNotKept) {
  const Connector made = add_cloud();
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

TEST_F(DriveTypeTest, WhatIsOfAnotherFormIsRefused) {
  add(web());
  ConnectorPatch patch;
  patch.host = "two.example";
  EXPECT_NE(change(patch).find("host is not for connectors of this kind"), std::string::npos);
  patch.name = "Files";
  patch.user = "ada";
  patch.secret = "x";
  ASSERT_TRUE(run(service().add(account_, catalog::ConnectorKind::ftp, patch)));
  EXPECT_NE(change(with({{"user", "x"}}), "Files").find("parameters is not for"),
            std::string::npos);
}

}  // namespace
}  // namespace coffer::mounts
