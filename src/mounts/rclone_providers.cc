#include "mounts/rclone_providers.h"

#include <boost/json.hpp>
#include <utility>

#include "backends/rclone/confinement/confined_engine.h"
#include "backends/rclone/providers/oauth_endpoints.h"
#include "backends/rclone/providers/provider_schema.h"
#include "mounts/address_policy.h"
#include "mounts/drive_config.h"

namespace coffer::mounts {
namespace {

namespace json = boost::json;

json::object json_of(const rclone::OptionExample& example) {
  return {{"value", example.value}, {"help", example.help}, {"onlyFor", example.only_for}};
}

json::object json_of(const rclone::OptionDescription& option) {
  json::array examples;
  for (const rclone::OptionExample& example : option.examples) examples.push_back(json_of(example));
  return {{"name", option.name},
          {"help", option.help},
          {"default", option.default_value},
          {"onlyFor", option.only_for},
          {"isSecret", option.is_secret},
          {"isAddress", option.is_address},
          {"isRequired", option.is_required},
          {"isAdvanced", option.is_advanced},
          {"examples", std::move(examples)}};
}

core::DriveProvider provider_of(const rclone::ProviderDescription& described) {
  json::array options;
  for (const rclone::OptionDescription& option : described.options) {
    options.push_back(json_of(option));
  }
  return {described.type, described.name, described.uses_oauth, std::move(options)};
}

Result<void> check_reach(const core::ConnectorSettings& settings,
                         const storage::MayConnect& may_connect) {
  if (!may_connect) return {};
  return rclone::check_hosts(config_of(settings), may_connect);
}

}  // namespace

Result<void> check_drive(const core::ConnectorSettings& settings,
                         const storage::MayConnect& may_connect) {
  auto allowed = rclone::check(config_of(settings));
  return allowed ? check_reach(settings, may_connect) : allowed;
}

Result<void> RcloneProviders::check_options(const core::ConnectorSettings& settings) {
  return rclone::check_options(config_of(settings));
}

core::DriveParameters RcloneProviders::only_allowed(std::string_view type,
                                                    core::DriveParameters parameters) {
  return rclone::only_allowed({std::string(type), std::move(parameters)});
}

Result<void> RcloneProviders::check(const core::ConnectorSettings& settings) {
  return check_drive(settings, policy_for(settings.may_be_private || private_connectors_));
}

Result<void> RcloneProviders::check_before_login(const core::ConnectorSettings& settings) {
  if (auto allowed = rclone::check_before_login(config_of(settings)); !allowed) return allowed;
  return check_reach(settings, policy_for(settings.may_be_private || private_connectors_));
}

bool RcloneProviders::is_address(std::string_view type, std::string_view parameter) {
  return rclone::is_address(type, parameter);
}

bool RcloneProviders::is_secret(std::string_view type, std::string_view parameter) {
  return rclone::is_secret(type, parameter);
}

std::string RcloneProviders::account_of(std::string_view type, std::string_view parameter,
                                        std::string_view value) {
  return rclone::account_of(type, parameter, value);
}

bool RcloneProviders::uses_oauth(std::string_view type) {
  return rclone::uses_oauth(type);
}

std::optional<core::OAuthServer> RcloneProviders::oauth_server(
    const core::ConnectorSettings& settings) {
  auto found = rclone::oauth_endpoints(config_of(settings));
  if (!found) return std::nullopt;
  return core::OAuthServer{std::move(found->authorize_url), std::move(found->token_url),
                           std::move(found->scope), std::move(found->words),
                           std::move(found->token_type)};
}

Task<Result<std::vector<core::DriveProvider>>> RcloneProviders::list() {
  json::object nothing;
  constexpr bool kMayBePrivate = true;  // No server is contacted.
  auto answer = co_await call_(kMayBePrivate, "config/providers", std::move(nothing));
  if (!answer) co_return failure_of(std::move(answer));
  const json::value whole = *std::move(answer);
  const auto described = rclone::describe_providers(whole);
  if (!described) co_return failure_of(described);
  std::vector<core::DriveProvider> providers;
  for (const auto& one : *described) providers.push_back(provider_of(one));
  co_return providers;
}

Task<Result<core::DriveParameters>> RcloneProviders::log_in(core::ConnectorSettings settings) {
  // Only what is allowed may be given to rclone.
  if (auto allowed = check_options(settings); !allowed) co_return failure_of(std::move(allowed));
  const std::string type = settings.provider;
  auto parameters = co_await mounts::log_in(call_, std::move(settings));
  if (!parameters) co_return failure_of(std::move(parameters));
  co_return only_allowed(type, *std::move(parameters));
}

}  // namespace coffer::mounts
