#include "backends/rclone/providers/provider_schema.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace coffer::rclone {
namespace {

std::vector<ProviderDescription> described(const char* answer) {
  auto providers = describe_providers(boost::json::parse(answer));
  EXPECT_TRUE(providers) << providers.error().message;
  return providers.value_or(std::vector<ProviderDescription>{});
}

TEST(ProviderSchema, KeepsWhatIsAllowedAlone) {
  const auto providers = described(R"({"providers": [
    {"Name": "webdav", "Description": "WebDAV", "Options": [
      {"Name": "url", "Help": "URL of the host.", "DefaultStr": "", "Required": true,
       "IsPassword": false, "Advanced": false, "Provider": "",
       "Examples": [{"Value": "https://x.example", "Help": "An example.", "Provider": ""}]},
      {"Name": "pass", "Help": "Password.", "DefaultStr": "", "IsPassword": true},
      {"Name": "bearer_token_command", "Help": "Command to run.", "Advanced": true}]},
    {"Name": "local", "Description": "Local Disk", "Options": null},
    {"Name": "b2", "Description": "Backblaze B2", "Options": [
      {"Name": "hard_delete", "Help": "Delete.", "DefaultStr": "false", "Advanced": true,
       "Examples": null}]}]})");
  ASSERT_EQ(providers.size(), 2U);
  EXPECT_EQ(providers[0].type, "b2");
  EXPECT_EQ(providers[0].options[0].default_value, "false");
  EXPECT_TRUE(providers[0].options[0].is_advanced);
  const ProviderDescription& webdav = providers[1];
  EXPECT_EQ(webdav.name, "WebDAV");
  EXPECT_FALSE(webdav.uses_oauth);
  ASSERT_EQ(webdav.options.size(), 2U);
  EXPECT_TRUE(webdav.options[0].is_required);
  EXPECT_TRUE(webdav.options[0].is_address);
  EXPECT_FALSE(webdav.options[0].is_secret);
  ASSERT_EQ(webdav.options[0].examples.size(), 1U);
  EXPECT_EQ(webdav.options[0].examples[0], (OptionExample{"https://x.example", "An example.", ""}));
  EXPECT_TRUE(webdav.options[1].is_secret);
}

TEST(ProviderSchema, TellsOfAnOptionOnceForEachService) {
  const auto providers = described(R"({"providers": [{"Name": "s3", "Options": [
      {"Name": "region", "Provider": "AWS"}, {"Name": "region", "Provider": "!AWS"}]}]})");
  ASSERT_EQ(providers.at(0).options.size(), 2U);
  EXPECT_EQ(providers[0].options[0].only_for, "AWS");
  EXPECT_EQ(providers[0].options[1].only_for, "!AWS");
}

TEST(ProviderSchema, AddsWhatRcloneReadsButDoesNotTell) {
  const auto providers = described(R"({"providers": [{"Name": "putio", "Options": []}]})");
  ASSERT_EQ(providers.at(0).options.size(), 1U);
  EXPECT_EQ(providers[0].options[0].name, "token");
  EXPECT_TRUE(providers[0].options[0].is_secret);
  EXPECT_NE(providers[0].options[0].help, "");
  EXPECT_TRUE(providers[0].uses_oauth);
  const auto newer = described(
      R"({"providers": [{"Name": "putio", "Options": [{"Name": "token", "Help": "H"}]}]})");
  ASSERT_EQ(newer.at(0).options.size(), 1U);
  EXPECT_EQ(newer[0].options[0].help, "H");
}

TEST(ProviderSchema, FailsOnWhatIsNoSuchAnswer) {
  for (const char* const answer :
       {"null", "{}", R"({"providers": {}})", R"({"providers": [1]})",
        R"({"providers": [{"Name": "b2", "Options": [{"Name": "key", "Help": 1}]}]})"}) {
    const auto providers = describe_providers(boost::json::parse(answer));
    ASSERT_FALSE(providers) << answer;
    EXPECT_EQ(providers.error().code, ErrorCode::failed);
  }
}

}  // namespace
}  // namespace coffer::rclone
