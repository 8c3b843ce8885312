#include "backends/rclone/providers/oauth_endpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>

// Left out of those that `rclone authorize` serves are
// - pcloud, which forgets the state that it is given, and names the host of the token only when it
//   sends a person back;
// - premiumizeme, putio and sharefile, which rclone knows by its own client alone.

namespace coffer::rclone {
namespace {

constexpr std::string_view kGoogleAuthorize = "https://accounts.google.com/o/oauth2/auth";
constexpr std::string_view kGoogleToken = "https://oauth2.googleapis.com/token";
constexpr std::string_view kGoogleScopes = "https://www.googleapis.com/auth/";

std::string option_of(const RemoteConfig& config, const std::string& name,
                      std::string_view standard) {
  const auto found = config.parameters.find(name);
  return found == config.parameters.end() ? std::string(standard) : found->second;
}

/// Without these words, a second consent brings no refresh token.
FormFields offline() {
  return {{"access_type", "offline"}, {"prompt", "consent"}};
}

OAuthEndpoints google(std::string scope) {
  return {std::string(kGoogleAuthorize), std::string(kGoogleToken), std::move(scope), offline()};
}

/// The option has names with commas between them.
std::string scope_of_drive(const RemoteConfig& config) {
  std::string scope;
  for (const auto part : std::views::split(option_of(config, "scope", "drive"), ',')) {
    std::string_view name(part.begin(), part.end());
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    scope += fmt::format("{}{}{}", scope.empty() ? "" : " ", kGoogleScopes, name);
  }
  return scope;
}

OAuthEndpoints dropbox(const RemoteConfig& config) {
  std::string scope =
      "files.metadata.write files.content.write files.content.read sharing.write "
      "account_info.read";
  if (config.parameters.contains("impersonate")) scope += " members.read team_data.member";
  return {"https://www.dropbox.com/oauth2/authorize",
          "https://api.dropboxapi.com/oauth2/token",
          std::move(scope),
          {{"token_access_type", "offline"}}};
}

OAuthEndpoints onedrive(const RemoteConfig& config) {
  const std::string region = option_of(config, "region", "global");
  const std::string_view host = region == "us"   ? "login.microsoftonline.us"
                                : region == "de" ? "login.microsoftonline.de"
                                : region == "cn" ? "login.chinacloudapi.cn"
                                                 : "login.microsoftonline.com";
  const bool asks_for_sites = option_of(config, "disable_site_permission", "false") != "true";
  std::string scope =
      fmt::format("Files.Read Files.ReadWrite Files.Read.All Files.ReadWrite.All {}offline_access",
                  asks_for_sites ? "Sites.Read.All " : "");
  if (asks_for_sites) scope = option_of(config, "access_scopes", scope);
  return {fmt::format("https://{}/common/oauth2/v2.0/authorize", host),
          fmt::format("https://{}/common/oauth2/v2.0/token", host), std::move(scope)};
}

OAuthEndpoints hidrive(const RemoteConfig& config) {
  return {"https://my.hidrive.com/client/authorize", "https://my.hidrive.com/oauth2/token",
          fmt::format("{},{}", option_of(config, "scope_access", "rw"),
                      option_of(config, "scope_role", "user"))};
}

OAuthEndpoints zoho(const RemoteConfig& config) {
  const std::string accounts =
      fmt::format("https://accounts.zoho.{}/oauth/v2", option_of(config, "region", "com"));
  return {accounts + "/auth", accounts + "/token",
          "aaaserver.profile.read WorkDrive.team.READ WorkDrive.workspace.READ WorkDrive.files.ALL",
          offline(), "Zoho-oauthtoken"};
}

std::optional<OAuthEndpoints> standard_of(const RemoteConfig& config) {
  if (config.type == "box") {
    return OAuthEndpoints{"https://app.box.com/api/oauth2/authorize",
                          "https://app.box.com/api/oauth2/token"};
  }
  if (config.type == "drive") return google(scope_of_drive(config));
  if (config.type == "dropbox") return dropbox(config);
  if (config.type == "google cloud storage") {
    return google(std::string(kGoogleScopes) + "devstorage.read_write");
  }
  if (config.type == "hidrive") return hidrive(config);
  if (config.type == "onedrive") return onedrive(config);
  if (config.type == "yandex") {
    return OAuthEndpoints{"https://oauth.yandex.com/authorize", "https://oauth.yandex.com/token"};
  }
  if (config.type == "zoho") return zoho(config);
  return std::nullopt;
}

}  // namespace

std::optional<OAuthEndpoints> oauth_endpoints(const RemoteConfig& config) {
  auto endpoints = standard_of(config);
  if (!endpoints) return std::nullopt;
  endpoints->authorize_url = option_of(config, "auth_url", endpoints->authorize_url);
  endpoints->token_url = option_of(config, "token_url", endpoints->token_url);
  return endpoints;
}

}  // namespace coffer::rclone
