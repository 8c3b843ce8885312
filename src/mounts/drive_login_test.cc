#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "async/run.h"
#include "mounts/rclone_providers.h"

namespace coffer::mounts {
namespace {

namespace json = boost::json;

constexpr AccountId kAccount{7};
constexpr const char* kToken = R"({"access_token":"a","token_type":"Bearer"})";
constexpr const char* kDone = R"({"State":"","Option":null,"Error":"","Result":""})";

/// An rclone that says what the test wants.
class FakeEngine {
 public:
  BeginCalls begin() {
    return [this](EngineUser user) -> Task<Result<EngineCall>> {
      users.push_back(user);
      co_return [this](std::string_view method, json::object parameters) {
        return answer(std::string(method), std::move(parameters));
      };
    };
  }
  void says(const char* answer) { answers_.emplace_back(json::parse(answer).as_object()); }
  void fails(const char* message) { answers_.push_back(fail(ErrorCode::unavailable, message)); }

  std::vector<EngineUser> users;  ///< Whose calls have begun.
  std::vector<std::string> methods;
  std::vector<json::object> told;

 private:
  Task<Result<json::object>> answer(std::string method, json::object parameters) {
    methods.push_back(method);
    told.push_back(std::move(parameters));
    if (method == "config/delete") co_return json::object();
    if (answers_.empty()) co_return fail(ErrorCode::failed, "nothing more to say");
    auto next = std::move(answers_.front());
    answers_.pop_front();
    co_return next;
  }

  std::deque<Result<json::object>> answers_;
};

core::ConnectorSettings drive(const std::string& type, core::DriveParameters more = {}) {
  core::ConnectorSettings settings;
  settings.provider = type;
  settings.parameters = std::move(more);
  settings.parameters["token"] = kToken;
  return settings;
}

class DriveLoginTest : public testing::Test {
 protected:
  Result<core::DriveParameters> log_in(core::ConnectorSettings settings) {
    return run(mounts::log_in(engine_.begin(), kAccount, std::move(settings)));
  }
  std::string refusal(core::ConnectorSettings settings) {
    const auto login = log_in(std::move(settings));
    EXPECT_FALSE(login);
    EXPECT_EQ(engine_.methods.back(), "config/delete");
    return login ? "" : login.error().message;
  }
  FakeEngine engine_;
};

TEST_F(DriveLoginTest, QuestionsAreAnsweredWithWhatRcloneProposes) {
  engine_.says(R"({"State":"choose_type","Error":"","Option":{"Name":"config_type",
    "Required":false,"DefaultStr":"onedrive"}})");
  engine_.says(R"({"State":"driveid_final_end","Error":"","Option":{"Name":"config_drive_ok",
    "Required":false,"DefaultStr":"true"}})");
  engine_.says(R"({"State":"next","Error":"","Option":null,"Result":"x"})");
  engine_.says(kDone);
  engine_.says(R"({"type":"onedrive","token":"{\"access_token\":\"b\"}","drive_id":"id",
    "drive_type":"personal","client_secret":"obscured","region":"","config_x":"y"})");
  const auto login = log_in(drive("onedrive", {{"client_secret", "plain"}}));
  ASSERT_TRUE(login);
  EXPECT_EQ(*login, (core::DriveParameters{{"client_secret", "plain"},
                                           {"config_x", "y"},
                                           {"drive_id", "id"},
                                           {"drive_type", "personal"},
                                           {"token", R"({"access_token":"b"})"}}));
  const std::vector<std::string> methods = {"config/create", "config/update", "config/update",
                                            "config/update", "config/get",    "config/delete"};
  EXPECT_EQ(engine_.methods, methods);
  EXPECT_EQ(engine_.told[0].at("parameters").at("config_refresh_token"), "false");
  EXPECT_EQ(engine_.told[0].at("opt").at("nonInteractive"), true);
  EXPECT_EQ(engine_.told[1].at("opt").at("state"), "choose_type");
  EXPECT_EQ(engine_.told[1].at("opt").at("result"), "onedrive");
  EXPECT_EQ(engine_.told[2].at("opt").at("result"), "true");
  for (const json::object& words : engine_.told) {
    EXPECT_EQ(words.at("name"), engine_.told[0].at("name"));
  }
}

TEST_F(DriveLoginTest, AQuestionWithoutAProposalIsTold) {
  engine_.says(R"({"State":"standard_token","Error":"","Option":{"Name":"config_login_token",
    "Required":true,"DefaultStr":""}})");
  EXPECT_NE(refusal(drive("jottacloud")).find("config_login_token"), std::string::npos);
}

TEST_F(DriveLoginTest, WhatTheProviderSaysIsToldInOtherWords) {
  engine_.says(
      R"({"State":"choose_type","Option":null,"Error":"Failed to query drives: no such host"})");
  EXPECT_EQ(refusal(drive("onedrive")),
            "The login to onedrive fails: The drive cannot be reached.");
  // The token of kToken is `a`.
  engine_.says(R"({"State":"x","Option":null,"Error":"401 for a hunter2, Bearer a"})");
  EXPECT_EQ(refusal(drive("onedrive", {{"client_secret", "hunter2"}})),
            "The login to onedrive fails: The drive refuses the login.");
  engine_.says(R"({"State":"x","Option":null,"Error":"denied: hunter2, Bearer a"})");
  EXPECT_EQ(refusal(drive("onedrive")), "The login to onedrive fails: The drive refuses this.");
}

TEST_F(DriveLoginTest, AnEngineThatFailsIsToldAndForgetsTheRemote) {
  engine_.fails("No rclone.");
  EXPECT_EQ(refusal(drive("drive")), "No rclone.");
  engine_.says(kDone);
  engine_.fails("Gone.");
  EXPECT_EQ(refusal(drive("drive")), "Gone.");
}

TEST_F(DriveLoginTest, ADialogueEnds) {
  for (int step = 0; step < 30; ++step) {
    engine_.says(R"({"State":"again","Error":"","Option":{"Name":"n","DefaultStr":"x"}})");
  }
  EXPECT_NE(refusal(drive("drive")).find("too many questions"), std::string::npos);
}

TEST_F(DriveLoginTest, ProvidersKeepOnlyWhatIsAllowed) {
  engine_.says(kDone);
  engine_.says(R"({"type":"drive","team_drive":"t","service_account_file":"/etc/passwd"})");
  RcloneProviders providers(engine_.begin());
  const auto login = run(providers.log_in(kAccount, drive("drive")));
  EXPECT_EQ(login, (core::DriveParameters{{"team_drive", "t"}, {"token", kToken}}));
  const auto calls = engine_.methods.size();
  EXPECT_FALSE(
      run(providers.log_in(kAccount, drive("drive", {{"service_account_file", "/etc/passwd"}}))));
  EXPECT_EQ(engine_.methods.size(), calls);
}

TEST_F(DriveLoginTest, TheEngineOfTheDriveIsAsked) {
  for (const bool may_be_private : {false, true}) {
    engine_.users.clear();
    engine_.says(kDone);
    engine_.says(R"({"type":"drive"})");
    auto settings = drive("drive");
    settings.may_be_private = may_be_private;
    ASSERT_TRUE(log_in(std::move(settings)));
    EXPECT_EQ(engine_.users, (std::vector<EngineUser>{{kAccount, may_be_private}}));
  }
}

TEST_F(DriveLoginTest, WhereAUsersDriveMayNotLeadIsToldEarly) {
  const auto refused_by = [&](bool private_connectors, bool may_be_private) {
    RcloneProviders providers(engine_.begin(), private_connectors);
    auto settings = drive("hidrive", {{"endpoint", "https://localhost:1"}});
    settings.may_be_private = may_be_private;
    const bool refused = !providers.check(settings);
    EXPECT_EQ(!providers.check_before_login(settings), refused);
    return refused;
  };
  EXPECT_TRUE(refused_by(false, false));
  EXPECT_FALSE(refused_by(false, true));
  EXPECT_FALSE(refused_by(true, false));
}

TEST_F(DriveLoginTest, ProvidersAreToldAsAForm) {
  engine_.says(R"({"providers":[{"Name":"webdav","Description":"WebDAV","Options":[
    {"Name":"url","Help":"Where","Required":true},{"Name":"headers"}]},{"Name":"local"}]})");
  RcloneProviders providers(engine_.begin());
  const auto all = run(providers.list());
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 1U);
  EXPECT_EQ(all->front().type, "webdav");
  const json::array options = all->front().options;
  ASSERT_EQ(options.size(), 1U);
  EXPECT_EQ(options[0].at("name"), "url");
  EXPECT_EQ(options[0].at("isAddress"), true);
  EXPECT_EQ(options[0].at("isRequired"), true);
}

}  // namespace
}  // namespace coffer::mounts
