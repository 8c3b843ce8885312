#include "backends/rclone/providers/oauth_endpoints.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "backends/rclone/providers/provider_table.h"

namespace coffer::rclone {
namespace {

using Parameters = std::map<std::string, std::string>;

OAuthEndpoints endpoints_of(const std::string& type, Parameters parameters = {}) {
  const RemoteConfig config{type, std::move(parameters)};
  EXPECT_TRUE(check_options(config)) << type;
  const auto endpoints = oauth_endpoints(config);
  EXPECT_TRUE(endpoints) << type;
  return endpoints.value_or(OAuthEndpoints{});
}

std::string word_of(const OAuthEndpoints& endpoints, const std::string& name) {
  for (const auto& [key, value] : endpoints.words) {
    if (key == name) return value;
  }
  return {};
}

TEST(OAuthEndpoints, AreThoseOfProvidersThatTakeAClientOfOnesOwnAndSendBack) {
  std::set<std::string> served;
  for (const Provider& provider : provider_table()) {
    const RemoteConfig config{std::string(provider.type), {}};
    if (!oauth_endpoints(config)) continue;
    served.emplace(provider.type);
    EXPECT_TRUE(uses_oauth(provider.type)) << provider.type;
    for (const char* name : {"client_id", "client_secret", "auth_url", "token_url", "token"}) {
      EXPECT_NE(find_option(provider, name), nullptr) << provider.type << " " << name;
    }
  }
  EXPECT_EQ(served, (std::set<std::string>{"box", "drive", "dropbox", "google cloud storage",
                                           "hidrive", "onedrive", "yandex", "zoho"}));
  EXPECT_FALSE(oauth_endpoints({"pcloud", {}}));
  EXPECT_FALSE(oauth_endpoints({"webdav", {}}));
  EXPECT_FALSE(oauth_endpoints({"no such", {}}));
}

TEST(OAuthEndpoints, AreReachedByHttpsWithoutAQuery) {
  for (const Provider& provider : provider_table()) {
    const auto endpoints = oauth_endpoints({std::string(provider.type), {}});
    if (!endpoints) continue;
    for (const std::string& url : {endpoints->authorize_url, endpoints->token_url}) {
      EXPECT_TRUE(url.starts_with("https://")) << url;
      EXPECT_EQ(url.find_first_of("?# "), std::string::npos) << url;
    }
  }
}

TEST(OAuthEndpoints, AskForARefreshTokenInTheProvidersOwnWords) {
  for (const char* const type : {"drive", "google cloud storage", "zoho"}) {
    EXPECT_EQ(word_of(endpoints_of(type), "access_type"), "offline") << type;
    EXPECT_EQ(word_of(endpoints_of(type), "prompt"), "consent") << type;
  }
  EXPECT_EQ(word_of(endpoints_of("dropbox"), "token_access_type"), "offline");
  EXPECT_TRUE(endpoints_of("onedrive").scope.ends_with(" offline_access"));
}

TEST(OAuthEndpoints, FollowTheOptionsThatRcloneTakesThemFrom) {
  EXPECT_EQ(endpoints_of("onedrive", {{"region", "cn"}}).token_url,
            "https://login.chinacloudapi.cn/common/oauth2/v2.0/token");
  EXPECT_EQ(endpoints_of("zoho", {{"region", "com.au"}}).authorize_url,
            "https://accounts.zoho.com.au/oauth/v2/auth");
  EXPECT_EQ(endpoints_of("zoho").token_type, "Zoho-oauthtoken");
  EXPECT_EQ(endpoints_of("drive", {{"scope", "drive.readonly, drive.file"}}).scope,
            "https://www.googleapis.com/auth/drive.readonly "
            "https://www.googleapis.com/auth/drive.file");
  EXPECT_EQ(endpoints_of("hidrive").scope, "rw,user");
  EXPECT_EQ(endpoints_of("hidrive", {{"scope_access", "ro"}, {"scope_role", "admin"}}).scope,
            "ro,admin");
  EXPECT_EQ(endpoints_of("onedrive", {{"access_scopes", "Files.Read"}}).scope, "Files.Read");
  EXPECT_EQ(endpoints_of("onedrive", {{"disable_site_permission", "true"}}).scope.find("Sites"),
            std::string::npos);
  EXPECT_NE(endpoints_of("dropbox", {{"impersonate", "a@b.example"}}).scope.find("members.read"),
            std::string::npos);
}

TEST(OAuthEndpoints, GiveWayToAddressesThatAreStated) {
  const auto endpoints = endpoints_of("box", {{"auth_url", "https://a.example/auth?x=1"},
                                              {"token_url", "https://a.example/token"}});
  EXPECT_EQ(endpoints.authorize_url, "https://a.example/auth?x=1");
  EXPECT_EQ(endpoints.token_url, "https://a.example/token");
}

}  // namespace
}  // namespace coffer::rclone
