#include "backends/rclone/providers/providers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/rclone/engine/address_text.h"
#include "backends/rclone/providers/credential_json.h"
#include "backends/rclone/providers/option_value.h"
#include "backends/rclone/providers/provider_table.h"
#include "backends/rclone/providers/suggestions.h"

namespace coffer::rclone {
namespace {

std::unexpected<Error> invalid(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

using Parameters = std::map<std::string, std::string>;

bool is_given(const Parameters& parameters, std::string_view name) {
  return parameters.contains(std::string(name));
}

/// True unless it is missing, or a switch that is off.
bool is_on(const Provider& provider, const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(std::string(name));
  if (found == parameters.end()) return false;
  return find_option(provider, name)->kind != OptionKind::choice || found->second != "false";
}

std::string name_of(const Login& login) {
  return login.second.empty() ? std::string(login.first)
                              : fmt::format("{} and {}", login.first, login.second);
}

/// Other addresses choose among the provider's own hosts. A `host` is the end of a name alone.
bool names_host(OptionKind kind) {
  return kind == OptionKind::url || kind == OptionKind::endpoint;
}

Result<void> check_options_given(const Provider& provider, const Parameters& parameters,
                                 bool is_login_to_come) {
  for (const Option& option : provider.options) {
    const bool is_there = is_given(parameters, option.name);
    const bool may_be_missing = is_login_to_come && option.is_found_at_login;
    if (option.is_required && !is_there && !may_be_missing) {
      return invalid(fmt::format("Give the option {}: {} needs it.", option.name, provider.type));
    }
    if (is_there && !option.partner.empty() && !is_given(parameters, option.partner)) {
      return invalid(fmt::format("Give the option {} together with {}, or neither.", option.partner,
                                 option.name));
    }
  }
  return {};
}

Result<void> check_logins(const Provider& provider, const Parameters& parameters) {
  const auto lets_in = [&](const Login& login) {
    return is_on(provider, parameters, login.first) &&
           (login.second.empty() || is_on(provider, parameters, login.second));
  };
  if (provider.logins.empty() || std::ranges::any_of(provider.logins, lets_in)) return {};
  std::string ways;
  for (const Login& login : provider.logins) {
    ways += fmt::format("{}{}", ways.empty() ? "" : ", or ", name_of(login));
  }
  const std::string hint =
      provider.is_authorized
          ? fmt::format(" `rclone authorize \"{}\"`, run where a browser is, prints a token.",
                        provider.type)
          : "";
  return invalid(fmt::format("Say how to log in to {}: give {}.{}", provider.type, ways, hint));
}

}  // namespace

Result<void> check_options(const RemoteConfig& config) {
  const Provider* const provider = find_provider(config.type);
  if (provider == nullptr) return unknown_type(config.type);
  for (const auto& [name, value] : config.parameters) {
    const Option* const option = find_option(*provider, name);
    if (option == nullptr) return unknown_option(*provider, name);
    const std::string fault = fault_of(*option, value);
    if (!fault.empty()) return invalid(fmt::format("Give the option {} {}", name, fault));
  }
  return {};
}

Parameters only_allowed(RemoteConfig config) {
  std::erase_if(config.parameters,
                [&](const auto& one) { return !check_options({config.type, {one}}); });
  return std::move(config.parameters);
}

Result<void> check(const RemoteConfig& config) {
  if (auto allowed = check_options(config); !allowed) return allowed;
  const Provider& provider = *find_provider(config.type);
  auto given = check_options_given(provider, config.parameters, false);
  return given ? check_logins(provider, config.parameters) : given;
}

Result<void> check_before_login(const RemoteConfig& config) {
  if (auto allowed = check_options(config); !allowed) return allowed;
  return check_options_given(*find_provider(config.type), config.parameters, true);
}

bool is_secret(std::string_view type, std::string_view parameter) {
  const Provider* const provider = find_provider(type);
  const Option* const option = provider == nullptr ? nullptr : find_option(*provider, parameter);
  return option == nullptr || option->is_secret;
}

bool is_address(std::string_view type, std::string_view parameter) {
  const Provider* const provider = find_provider(type);
  const Option* const option = provider == nullptr ? nullptr : find_option(*provider, parameter);
  return option == nullptr || option->is_address;
}

std::string account_of(std::string_view type, std::string_view parameter, std::string_view value) {
  const Provider* const provider = find_provider(type);
  const Option* const option = provider == nullptr ? nullptr : find_option(*provider, parameter);
  const bool says_so = option != nullptr && option->kind == OptionKind::service_account;
  return says_so ? email_of_service_account(value) : std::string();
}

std::vector<std::string> hosts_of(const RemoteConfig& config) {
  std::vector<std::string> hosts;
  const Provider* const provider = find_provider(config.type);
  for (const auto& [name, value] : config.parameters) {
    const Option* const option = provider == nullptr ? nullptr : find_option(*provider, name);
    if (option != nullptr && names_host(option->kind)) hosts.emplace_back(host_of(value));
  }
  return hosts;
}

bool uses_oauth(std::string_view type) {
  const Provider* const provider = find_provider(type);
  return provider != nullptr && provider->is_authorized;
}

}  // namespace coffer::rclone
