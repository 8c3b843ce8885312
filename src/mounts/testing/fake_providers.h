#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/connectors/drive_providers.h"

namespace coffer::core {

/// Knows the providers `web` (a url, a user, a pass and a switch) and `cloud`, logged in to with a
/// token.
class FakeProviders final : public DriveProviders {
 public:
  Result<void> check_options(const ConnectorSettings& settings) override {
    if (settings.provider != "web" && settings.provider != "cloud") {
      return fail(ErrorCode::invalid, "No such provider.");
    }
    if (during_check) during_check();
    static const std::set<std::string> kKnown = {"url",       "user",  "pass",          "flag",
                                                 "token",     "drive", "client_secret", "host",
                                                 "client_id", "robot"};
    for (const auto& [name, value] : settings.parameters) {
      if (!kKnown.contains(name)) return fail(ErrorCode::invalid, name + " is not allowed.");
    }
    return {};
  }
  DriveParameters only_allowed(std::string_view type, DriveParameters parameters) override {
    std::erase_if(parameters, [&](const auto& one) {
      ConnectorSettings alone;
      alone.provider = type;
      alone.parameters.insert(one);
      return one.second.empty() || !check_options(alone);
    });
    return parameters;
  }
  Result<void> check(const ConnectorSettings& settings) override {
    TRY_VOID(check_options(settings));
    const std::string needed = settings.provider == "web" ? "url" : "token";
    const bool lacks_drive = wants_drive && !settings.parameters.contains("drive");
    if (settings.parameters.contains(needed) && !lacks_drive) return {};
    return fail(ErrorCode::invalid, "Give " + needed + ".");
  }
  Result<void> check_before_login(const ConnectorSettings& settings) override {
    if (!settings.parameters.contains("flag") || settings.parameters.at("flag") != "unready") {
      return check_options(settings);
    }
    return fail(ErrorCode::invalid, "Not ready.");
  }
  bool is_address(std::string_view, std::string_view parameter) override {
    return parameter == "url" || parameter == "host";
  }
  bool is_secret(std::string_view, std::string_view parameter) override {
    return parameter == "pass" || parameter == "token" || parameter == "client_secret" ||
           parameter == "robot";
  }
  std::string account_of(std::string_view, std::string_view parameter,
                         std::string_view value) override {
    return std::string(parameter == "robot" ? value.substr(0, value.find(' ')) : "");
  }
  bool uses_oauth(std::string_view type) override { return type == "cloud"; }
  std::optional<OAuthServer> oauth_server(const ConnectorSettings& settings) override {
    if (settings.provider != "cloud") return std::nullopt;
    return OAuthServer{"https://cloud.example/agree?old=1",
                       "https://cloud.example/token",
                       "all files",
                       {{"access", "offline"}},
                       "Cloudy"};
  }
  Task<Result<std::vector<DriveProvider>>> list() override {
    co_return std::vector<DriveProvider>();
  }
  Task<Result<DriveParameters>> log_in(AccountId, ConnectorSettings settings) override {
    ++logins;
    settings.parameters.try_emplace("drive", "first");
    settings.parameters["token"] += "!";
    co_return settings.parameters;
  }

  int logins = 0;
  bool wants_drive = false;  ///< Besides the token.
  std::function<void()> during_check;
};

}  // namespace coffer::core
