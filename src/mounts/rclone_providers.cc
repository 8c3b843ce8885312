#include "mounts/rclone_providers.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "backends/rclone/confinement/confined_engine.h"
#include "backends/rclone/engine/drive_error.h"
#include "backends/rclone/engine/json_members.h"
#include "backends/rclone/providers/oauth_endpoints.h"
#include "backends/rclone/providers/provider_schema.h"
#include "backends/rclone/providers/providers.h"
#include "base/random.h"
#include "mounts/address_policy.h"

namespace coffer::mounts {
namespace {

namespace json = boost::json;
using rclone::text_in;

std::unexpected<Error> senseless() {
  return fail(ErrorCode::failed, "rclone's dialogue of a login has an unknown form.");
}

/// The answer to the question of a step; nothing after the last.
Result<std::optional<std::string>> answer_to(const json::object& step,
                                             const core::ConnectorSettings& settings) {
  if (text_in(step, "State").empty()) return std::nullopt;
  if (const auto complaint = text_in(step, "Error"); !complaint.empty()) {
    const Error meant = rclone::error_of(complaint);
    return fail(meant.code,
                fmt::format("The login to {} fails: {}", settings.provider, meant.message));
  }
  const json::value* const asked = step.if_contains("Option");
  if (asked == nullptr || asked->is_null()) return std::string();
  if (!asked->is_object()) return senseless();
  const json::object& option = asked->get_object();
  std::string proposal(text_in(option, "DefaultStr"));
  const json::value* const required = option.if_contains("Required");
  if (proposal.empty() && required != nullptr && *required == true) {
    return fail(ErrorCode::invalid,
                fmt::format("{} asks for {}, which has no default: set the drive up with `rclone "
                            "config` elsewhere and give the parameters that it stored.",
                            settings.provider, text_in(option, "Name")));
  }
  return proposal;
}

json::object continuation(const std::string& name, const std::string& state,
                          const std::string& answer) {
  return {{"name", name},
          {"parameters", json::object()},
          {"opt", json::object{{"nonInteractive", true},
                               {"obscure", true},
                               {"continue", true},
                               {"state", state},
                               {"result", answer}}}};
}

Task<Result<void>> talk(const EngineCall& call, const std::string& name,
                        const core::ConnectorSettings& settings) {
  constexpr int kMaxSteps = 20;
  json::object words = rclone::config_request_of(name, config_of(settings));
  auto step = co_await call("config/create", std::move(words));
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    if (!step) co_return failure_of(std::move(step));
    CO_TRY(const auto answer, answer_to(*step, settings));
    if (!answer) co_return Result<void>{};
    words = continuation(name, std::string(text_in(*step, "State")), *answer);
    step = co_await call("config/update", std::move(words));
  }
  co_return fail(ErrorCode::invalid,
                 fmt::format("The login to {} asks too many questions.", settings.provider));
}

core::DriveParameters noted(const json::object& config, const core::ConnectorSettings& settings) {
  core::DriveParameters parameters = settings.parameters;
  for (const auto& [key, value] : config) {
    if (key == "type" || !value.is_string() || value.get_string().empty()) continue;
    // Given values may have come back obscured.
    parameters.try_emplace(std::string(key), std::string(value.get_string()));
  }
  if (const auto token = text_in(config, "token"); !token.empty()) parameters["token"] = token;
  return parameters;
}

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

Task<Result<core::DriveParameters>> log_in(const BeginCalls& begin, AccountId account,
                                           core::ConnectorSettings settings) {
  if (!settings.parameters.contains("token")) {
    co_return fail(ErrorCode::invalid, "A login needs its token.");
  }
  const std::string name = fmt::format("coffer-login-{}", random_hex(8));
  CO_TRY(const EngineCall call, co_await begin({account, settings.may_be_private}));
  const json::object named = {{"name", name}};
  json::object words = named;
  auto talked = co_await talk(call, name, settings);
  Result<json::object> config = json::object();
  if (talked) config = co_await call("config/get", std::move(words));
  words = named;
  const auto forgotten = co_await call("config/delete", std::move(words));
  if (!talked) co_return failure_of(std::move(talked));
  if (!config) co_return failure_of(std::move(config));
  if (!forgotten) co_return failure_of(forgotten);
  co_return noted(*config, settings);
}

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
  TRY_VOID(rclone::check_before_login(config_of(settings)));
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
  constexpr EngineUser kNobody{.account = {}, .may_be_private = true};  // No server is contacted.
  CO_TRY(const EngineCall call, co_await begin_(kNobody));
  CO_TRY(auto answer, co_await call("config/providers", std::move(nothing)));
  const json::value whole = std::move(answer);
  CO_TRY(const auto described, rclone::describe_providers(whole));
  std::vector<core::DriveProvider> providers;
  for (const auto& one : described) providers.push_back(provider_of(one));
  co_return providers;
}

Task<Result<core::DriveParameters>> RcloneProviders::log_in(AccountId account,
                                                            core::ConnectorSettings settings) {
  // Only what is allowed may be given to rclone.
  CO_TRY_VOID(check_options(settings));
  const std::string type = settings.provider;
  CO_TRY(auto parameters, co_await mounts::log_in(begin_, account, std::move(settings)));
  co_return only_allowed(type, std::move(parameters));
}

}  // namespace coffer::mounts
