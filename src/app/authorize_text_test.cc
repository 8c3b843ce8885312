#include "app/authorize_text.h"

#include <gtest/gtest.h>

#include "core/connectors/drive_logins.h"
#include "mounts/rclone_providers.h"

namespace coffer::app {
namespace {

constexpr const char* kToken =
    R"({"access_token":"ya29.a","refresh_token":"1//r","expires_in":3599})";
/// Of {"hostname":"eapi.pcloud.com","token":"{\"access_token\":\"a\"}"}, as rclone writes it.
constexpr const char* kBlob =
    "eyJob3N0bmFtZSI6ImVhcGkucGNsb3VkLmNvbSIsInRva2VuIjoie1wiYWNjZXNzX3Rva2VuXCI6XCJhXCJ9In0";

core::DriveParameters parameters_in(const std::string& pasted) {
  const auto login = login_of(pasted);
  EXPECT_TRUE(login) << pasted;
  return login.value_or(core::DriveParameters{});
}

TEST(AuthorizeText, ATokenIsTakenOutOfTheLinesAroundIt) {
  const core::DriveParameters expected = {{"token", kToken}};
  const std::string token = kToken;
  EXPECT_EQ(parameters_in(token), expected);
  EXPECT_EQ(parameters_in("\n  " + token + "  \r\n"), expected);
  const std::string begin = "Paste the following into your remote machine --->\n";
  EXPECT_EQ(parameters_in(begin + token + "\n<---End paste\n"), expected);
  EXPECT_EQ(
      parameters_in("2026/01/31 12:00:00 NOTICE: Got code\n" + begin + token + "\n<---End paste"),
      expected);
  EXPECT_EQ(parameters_in(begin + token), expected);
}

TEST(AuthorizeText, LinesThatWereBrokenArePutTogether) {
  std::string broken = kToken;
  broken.insert(20, "\r\n");
  EXPECT_EQ(parameters_in(broken), (core::DriveParameters{{"token", kToken}}));
  broken = kBlob;
  broken.insert(30, "\n  ");
  EXPECT_EQ(parameters_in(broken), parameters_in(kBlob));
}

TEST(AuthorizeText, BothWaysOfPrintingAreTaken) {
  const core::DriveParameters expected = {{"hostname", "eapi.pcloud.com"},
                                          {"token", R"({"access_token":"a"})"}};
  EXPECT_EQ(parameters_in(kBlob), expected);
  EXPECT_EQ(parameters_in(std::string("remote machine --->\n") + kBlob + "==\n<---End paste\n"),
            expected);
}

TEST(AuthorizeText, WhatHoldsNoTokenIsNotRepeated) {
  for (const char* const pasted :
       {"", "\n", "hunter2", "{}", "{\"token\":\"hunter2\"}", "{\"access_token\":\"hunter2\"",
        "[\"hunter2\"]", "}{", "aHVudGVyMg", "e30", "--->\n<---", "<---End paste --->"}) {
    const auto login = login_of(pasted);
    ASSERT_FALSE(login) << pasted;
    EXPECT_EQ(login.error().code, ErrorCode::invalid);
    EXPECT_EQ(login.error().message.find("hunter2"), std::string::npos);
  }
}

TEST(AuthorizeText, KnowsWhenAllWasPasted) {
  EXPECT_FALSE(is_whole_login("\n"));
  EXPECT_FALSE(is_whole_login("{\"access_token\":\n"));
  EXPECT_TRUE(is_whole_login(std::string(kToken) + "\n"));
  EXPECT_TRUE(is_whole_login(std::string(kBlob) + "\n"));
  // The last line would become a shell's input otherwise.
  EXPECT_FALSE(is_whole_login(std::string("machine --->\n") + kToken + "\n"));
  EXPECT_TRUE(is_whole_login(std::string("machine --->\n") + kToken + "\n<---End paste\n"));
}

TEST(AuthorizeText, TheCommandTellsNoSecret) {
  mounts::RcloneProviders providers({});
  const auto command = [&](const std::string& type, core::DriveParameters parameters) {
    core::ConnectorSettings settings;
    settings.provider = type;
    settings.parameters = std::move(parameters);
    return core::authorize_command(settings, providers);
  };
  // {} and {"scope":"drive"}
  EXPECT_EQ(command("drive", {}), "rclone authorize \"drive\" \"e30\"");
  EXPECT_EQ(command("drive", {{"token", "x"}}), "rclone authorize \"drive\" \"e30\"");
  EXPECT_EQ(command("drive", {{"scope", "drive"}, {"token", "x"}}),
            "rclone authorize \"drive\" \"eyJzY29wZSI6ImRyaXZlIn0\"");
}

TEST(AuthorizeText, AClientSecretLeavesTheOtherParametersAndGoesByTheEnvironment) {
  mounts::RcloneProviders providers({});
  core::ConnectorSettings settings;
  settings.provider = "onedrive";
  settings.parameters = {{"region", "de"}};
  const std::string without = core::authorize_command(settings, providers);
  EXPECT_EQ(without, "rclone authorize \"onedrive\" \"eyJyZWdpb24iOiJkZSJ9\"");
  EXPECT_EQ(core::authorize_environment(settings), "");
  settings.parameters["client_secret"] = "hunter2";
  EXPECT_EQ(core::authorize_command(settings, providers), without);
  EXPECT_EQ(core::authorize_environment(settings), "RCLONE_ONEDRIVE_CLIENT_SECRET");
  settings.provider = "google cloud storage";
  EXPECT_EQ(core::authorize_environment(settings), "RCLONE_GCS_CLIENT_SECRET");
}

}  // namespace
}  // namespace coffer::app
