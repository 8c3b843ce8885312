#include "backends/rclone/providers/providers.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backends/rclone/providers/provider_table.h"

namespace coffer::rclone {
namespace {

constexpr const char* kToken = R"({"access_token":"a","refresh_token":"r"})";

using Parameters = std::map<std::string, std::string>;

/// The message; empty if all is well.
std::string refusal(const std::string& type, const Parameters& parameters) {
  const auto result = check(RemoteConfig{type, parameters});
  if (result) return {};
  EXPECT_EQ(result.error().code, ErrorCode::invalid);
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
  return result.error().message;
}

std::string option_refusal(const std::string& type, const Parameters& parameters) {
  const auto result = check_options(RemoteConfig{type, parameters});
  return result ? std::string() : result.error().message;
}

bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

TEST(Providers, TakesRemotesOfEachKindOfLogin) {
  EXPECT_EQ(refusal("webdav", {{"url", "https://x.example/dav"}, {"vendor", "nextcloud"}}), "");
  EXPECT_EQ(refusal("s3", {{"provider", "Minio"},
                           {"access_key_id", "a"},
                           {"secret_access_key", "s"},
                           {"endpoint", "localhost:9000"},
                           {"force_path_style", "true"}}),
            "");
  EXPECT_EQ(refusal("s3", {{"provider", "AWS"}, {"region", "eu-central-1"}}), "");
  EXPECT_EQ(refusal("drive", {{"token", kToken}, {"scope", "drive"}}), "");
  EXPECT_EQ(refusal("azureblob", {{"account", "ann"}, {"key", "k"}}), "");
  EXPECT_EQ(refusal("azureblob", {{"sas_url", "https://ann.blob.core.windows.net/c?sig=x"}}), "");
  EXPECT_EQ(refusal("jottacloud", {{"token", kToken}, {"configVersion", "1"}}), "");
  EXPECT_EQ(refusal("mailru", {{"user", "false"}, {"pass", "p"}}), "");
}

TEST(Providers, RefusesWhatReadsThisMachineOrWrapsARemote) {
  for (const char* const type : {"local", "alias", "union", "combine", "crypt", "chunker",
                                 "compress", "hasher", "cache", "memory", "http", "hdfs", "smb",
                                 "sia", "oracleobjectstorage", "netstorage", "", ":local"}) {
    EXPECT_TRUE(says(refusal(type, {}), "is not allowed: take one of azureblob, b2")) << type;
  }
  EXPECT_TRUE(says(refusal("sftp", {}), "connector of the kind sftp"));
  EXPECT_TRUE(says(refusal("ftp", {}), "connector of the kind ftp"));
}

TEST(Providers, RefusesOptionsThatReachBeyondTheRemote) {
  const std::vector<std::pair<const char*, const char*>> options = {
      {"webdav", "bearer_token_command"},
      {"webdav", "headers"},
      {"s3", "env_auth"},
      {"s3", "profile"},
      {"s3", "shared_credentials_file"},
      {"s3", "chunk_size"},
      {"swift", "env_auth"},
      {"drive", "service_account_file"},
      {"google cloud storage", "service_account_file"},
      {"azureblob", "service_principal_file"},
      {"azureblob", "use_msi"},
      {"azureblob", "msi_client_id"},
      {"azureblob", "use_emulator"},
      {"box", "box_config_file"},
      {"box", "encoding"},
      {"jottacloud", "client_secret"},
      {"putio", "token_url"},
      {"webdav", "type"},
      {"webdav", "override.proxy"},
  };
  for (const auto& [type, option] : options) {
    EXPECT_TRUE(says(option_refusal(type, {{option, "true"}}), "is not allowed with")) << option;
    EXPECT_TRUE(is_secret(type, option)) << option;
  }
}

TEST(Providers, PointsToTheRightSpelling) {
  for (const char* const name : {"URL", " url ", "--webdav-url", "webdav_url", "Webdav-Url"}) {
    EXPECT_EQ(option_refusal("webdav", {{name, "https://x.example"}}), "Write the option as url.")
        << name;
  }
  EXPECT_EQ(option_refusal("jottacloud", {{"configversion", "1"}}),
            "Write the option as configVersion.");
  EXPECT_TRUE(says(option_refusal("drive", {{"config_refresh_token", "false"}}), "config_"));
  EXPECT_EQ(refusal("WebDAV", {}), "Write the provider as webdav.");
  EXPECT_EQ(refusal("gcs", {}), "Write the provider as google cloud storage.");
}

TEST(Providers, NeverRepeatsAValue) {
  const std::string value = "Hunter2\n";
  for (const Provider& provider : provider_table()) {
    for (const Option& option : provider.options) {
      const auto message =
          option_refusal(std::string(provider.type), {{std::string(option.name), value}});
      EXPECT_NE(message, "") << provider.type << ' ' << option.name;
      EXPECT_FALSE(says(message, "unter2")) << message;
    }
  }
  EXPECT_FALSE(says(option_refusal("webdav", {{"pass=Hunter2", "x"}}), "unter2"));
  EXPECT_FALSE(says(refusal("webdav:Hunter2", {}), "unter2"));
}

TEST(Providers, RefusesValuesThatCannotBe) {
  EXPECT_TRUE(says(option_refusal("webdav", {{"user", ""}}), "or leave it out"));
  EXPECT_TRUE(says(option_refusal("webdav", {{"user", std::string(65537, 'a')}}), "64 KB"));
  EXPECT_TRUE(says(option_refusal("webdav", {{"user", "\xff"}}), "UTF-8"));
  EXPECT_TRUE(says(option_refusal("webdav", {{"pass", std::string("a\0b", 3)}}), "control"));
  EXPECT_TRUE(says(option_refusal("webdav", {{"url", "file:///x"}}), "https://"));
  EXPECT_TRUE(says(option_refusal("s3", {{"v2_auth", "yes"}}), "true, false"));
  EXPECT_TRUE(says(option_refusal("drive", {{"token", "abc"}}), "rclone authorize"));
}

// rclone would put these into the host's name.
TEST(Providers, AnOptionThatIsAPartOfAHostCannotBecomeTheHost) {
  EXPECT_NE(option_refusal("azureblob", {{"account", "127.0.0.1:80/"}}), "");
  EXPECT_NE(option_refusal("azureblob", {{"endpoint", "https://x.example"}}), "");
  EXPECT_NE(option_refusal("zoho", {{"region", "evil.example"}}), "");
  EXPECT_NE(option_refusal("pcloud", {{"hostname", "evil.example"}}), "");
  EXPECT_NE(option_refusal("s3", {{"region", "x.evil.example/"}}), "");
}

TEST(Providers, NeverFallsBackToTheMachinesIdentity) {
  for (const Parameters& parameters :
       {Parameters{}, Parameters{{"anonymous", "false"}}, Parameters{{"client_id", "c"}}}) {
    EXPECT_TRUE(says(refusal("google cloud storage", parameters),
                     "give token, or service_account_credentials, or anonymous."));
  }
  EXPECT_EQ(refusal("google cloud storage", {{"anonymous", "true"}}), "");
  EXPECT_TRUE(says(refusal("azureblob", {{"account", "ann"}}), "account and key, or sas_url"));
}

TEST(Providers, SaysWhatIsMissing) {
  EXPECT_TRUE(says(refusal("webdav", {}), "Give the option url"));
  EXPECT_TRUE(says(refusal("s3", {{"access_key_id", "a"}}), "secret_access_key together"));
  EXPECT_TRUE(says(refusal("dropbox", {}), "`rclone authorize \"dropbox\"`"));
  EXPECT_TRUE(says(refusal("koofr", {{"user", "ann"}}), "Give the option password"));
  EXPECT_EQ(option_refusal("onedrive", {{"token", kToken}}), "");
  EXPECT_TRUE(says(refusal("onedrive", {{"token", kToken}}), "drive_id"));
}

TEST(Providers, BeforeALoginOnlyWhatItGivesMayBeMissing) {
  const auto refusal_before = [](const std::string& type, const Parameters& parameters) {
    const auto result = check_before_login(RemoteConfig{type, parameters});
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(refusal_before("onedrive", {}), "");
  EXPECT_EQ(refusal_before("sharefile", {}), "");
  EXPECT_TRUE(says(refusal_before("zoho", {}), "Give the option region"));
  EXPECT_EQ(refusal_before("zoho", {{"region", "eu"}, {"root_folder_id", "x"}}), "");
  EXPECT_TRUE(says(refusal_before("zoho", {{"region", "nowhere"}}), "com, eu"));
  EXPECT_TRUE(says(refusal_before("local", {}), "is not allowed"));
}

TEST(Providers, OnlyWhatRcloneAuthorizeServesIsLoggedInToByIt) {
  EXPECT_FALSE(uses_oauth("jottacloud"));
  const std::string told = refusal("jottacloud", {{"configVersion", "1"}});
  EXPECT_TRUE(says(told, "give token") && !says(told, "authorize")) << told;
}

TEST(Providers, KnowsSecretsAndAddresses) {
  EXPECT_TRUE(is_secret("webdav", "pass"));
  EXPECT_FALSE(is_secret("webdav", "user"));
  EXPECT_TRUE(is_secret("azureblob", "sas_url"));
  EXPECT_TRUE(is_address("azureblob", "sas_url"));
  EXPECT_TRUE(is_address("swift", "auth"));
  EXPECT_TRUE(is_address("drive", "token_url"));
  EXPECT_FALSE(is_address("drive", "team_drive"));
  EXPECT_TRUE(is_address("webdav", "unknown"));
  EXPECT_TRUE(uses_oauth("putio"));
  EXPECT_FALSE(uses_oauth("filefabric"));
  EXPECT_FALSE(uses_oauth("local"));
}

TEST(Providers, TellsWhoseServiceAccountItIs) {
  constexpr const char* kKey =
      R"({"type":"service_account","client_email":"a@b.example","private_key":"k"})";
  EXPECT_EQ(account_of("drive", "service_account_credentials", kKey), "a@b.example");
  EXPECT_EQ(account_of("drive", "service_account_credentials", "{}"), "");
  EXPECT_EQ(account_of("drive", "token", kKey), "");
  EXPECT_EQ(account_of("local", "service_account_credentials", kKey), "");
}

TEST(Providers, TellsTheHostsThatARemoteNames) {
  using Hosts = std::vector<std::string>;
  EXPECT_EQ(hosts_of({"s3", {{"endpoint", "localhost:9000"}, {"region", "eu-central-1"}}}),
            Hosts{"localhost"});
  EXPECT_EQ(
      hosts_of({"swift", {{"auth", "https://a.example/v3"}, {"storage_url", "http://[::1]"}}}),
      (Hosts{"a.example", "::1"}));
  EXPECT_EQ(hosts_of({"drive", {{"token", "x"}}}), Hosts{});
}

TEST(Providers, TheTableIsSound) {
  for (const Provider& provider : provider_table()) {
    std::set<std::string_view> names;
    for (const Option& option : provider.options) {
      EXPECT_TRUE(names.insert(option.name).second) << provider.type << ' ' << option.name;
      EXPECT_EQ(option.kind == OptionKind::choice, !option.choices.empty()) << option.name;
    }
    for (const Option& option : provider.options) {
      EXPECT_TRUE(option.partner.empty() || names.contains(option.partner)) << option.name;
    }
    EXPECT_TRUE(!provider.is_authorized || names.contains("token")) << provider.type;
    for (const Login& login : provider.logins) {
      EXPECT_TRUE(names.contains(login.first)) << login.first;
      EXPECT_TRUE(login.second.empty() || names.contains(login.second)) << login.second;
    }
  }
}

}  // namespace
}  // namespace coffer::rclone
