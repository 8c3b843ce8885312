#include "backends/rclone/providers/providers.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <functional>
#include <ranges>
#include <string>
#include <utility>

#include "backends/rclone/engine/address_text.h"
#include "backends/rclone/providers/credential_json.h"
#include "backends/rclone/providers/provider_table.h"
#include "base/text.h"

namespace coffer::rclone {
namespace {

std::unexpected<Error> suggestion(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

template <class Items, class Projection>
std::string list_of(const Items& items, Projection name_of) {
  std::string list;
  for (const auto& item : items) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", std::invoke(name_of, item));
  }
  return list;
}

/// Lower case, without the spaces and dashes around it.
std::string plain_spelling(std::string_view name) {
  const auto begin = std::min(name.find_first_not_of(" \t-"), name.size());
  name = name.substr(begin, name.find_last_not_of(" \t") + 1 - begin);
  return to_lower(name);
}

/// A name that a mistaken value cannot hide in.
std::string shown(std::string_view what, std::string_view name) {
  constexpr std::size_t kMaxShownBytes = 40;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '-'; };
  if (name.empty() || name.size() > kMaxShownBytes || !std::ranges::all_of(name, fits)) {
    return fmt::format("This {}", what);
  }
  return fmt::format("The {} {}", what, name);
}

std::string_view known_type(std::string_view type) {
  static constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
      {"gcs", "google cloud storage"},
      {"googlecloudstorage", "google cloud storage"},
      {"gdrive", "drive"},
      {"google drive", "drive"},
      {"googledrive", "drive"},
      {"azure", "azureblob"},
      {"nextcloud", "webdav"},
      {"owncloud", "webdav"},
      {"aws", "s3"},
      {"minio", "s3"},
      {"backblaze", "b2"}};
  const std::string plain = plain_spelling(type);
  if (const Provider* const provider = find_provider(plain)) return provider->type;
  const auto* const found = std::ranges::find(
      kOtherNames, std::string_view(plain), &std::pair<std::string_view, std::string_view>::first);
  return found == std::ranges::end(kOtherNames) ? std::string_view() : found->second;
}

/// The allowed option that may have been meant by another spelling of its name.
const Option* meant_option(const Provider& provider, std::string_view name) {
  std::string plain = plain_spelling(name);
  std::ranges::replace(plain, '-', '_');
  const std::string prefix = fmt::format("{}_", provider.type);
  for (const Option& option : provider.options) {
    const std::string known = plain_spelling(option.name);
    if (plain == known || plain == prefix + known) return &option;
  }
  return nullptr;
}

/// The error for a type that is not in the table, with what may have been meant by it. It repeats
/// nothing that a mistaken value could hide in.
std::unexpected<Error> unknown_type(std::string_view type) {
  const std::string plain = plain_spelling(type);
  if (plain == "ftp" || plain == "sftp") {
    return suggestion(
        fmt::format("Make a connector of the kind {0}: {0} is no cloud drive.", plain));
  }
  if (const auto known = known_type(type); !known.empty()) {
    return suggestion(fmt::format("Write the provider as {}.", known));
  }
  return suggestion(fmt::format("{} is not allowed: take one of {}.", shown("provider", type),
                                list_of(provider_table(), &Provider::type)));
}

/// The same for an option.
std::unexpected<Error> unknown_option(const Provider& provider, std::string_view name) {
  if (plain_spelling(name).starts_with("config_")) {
    return suggestion(
        "Leave out the options that begin with config_: they answer rclone's questions.");
  }
  if (const Option* const meant = meant_option(provider, name)) {
    return suggestion(fmt::format("Write the option as {}.", meant->name));
  }
  return suggestion(fmt::format("{} is not allowed with {}: leave it out, or take one of {}.",
                                shown("option", name), provider.type,
                                list_of(provider.options, &Option::name)));
}

constexpr std::size_t kMaxValueBytes = 64 * 1024;

bool is_json(OptionKind kind) {
  return kind == OptionKind::token || kind == OptionKind::service_account;
}

/// Lines may end within JSON, as people paste it.
bool has_forbidden_character(OptionKind kind, std::string_view value) {
  if (!is_utf8(value)) return true;
  if (!is_json(kind)) return has_control_character(value);
  std::string rest(value);
  std::erase_if(rest, [](char c) { return c == '\n' || c == '\r' || c == '\t'; });
  return has_control_character(rest);
}

std::string fault_of_choice(std::string_view choices, std::string_view value) {
  std::string list;
  for (const auto part : std::views::split(choices, '|')) {
    const std::string_view allowed(part.begin(), part.end());
    if (value == allowed) return {};
    list += fmt::format("{}{}", list.empty() ? "" : ", ", allowed);
  }
  return fmt::format("one of these values: {}.", list);
}

std::string fault_of_kind(const Option& option, std::string_view value) {
  switch (option.kind) {
    case OptionKind::text:
      return {};
    case OptionKind::choice:
      return fault_of_choice(option.choices, value);
    case OptionKind::label:
      return is_label(value) ? "" : "letters, digits and dashes alone.";
    case OptionKind::url:
      return is_url(value) ? "" : "as http:// or https:// and a host, without a user or spaces.";
    case OptionKind::endpoint:
      if (is_url(value) || is_host(value)) return {};
      return "as a host, or as http:// or https:// and a host, without a user or spaces.";
    case OptionKind::host:
      return is_host(value) ? "" : "as a host, perhaps with a colon and a port.";
    case OptionKind::token:
      return fault_of_token(value);
    case OptionKind::service_account:
      return fault_of_service_account(value);
  }
  return "differently: its kind is unknown.";
}

/// The fault of an option's value, as the end of a sentence that begins with "Give the option X ";
/// empty if there is none. It never holds the value.
std::string fault_of(const Option& option, std::string_view value) {
  if (value.empty()) return "a value, or leave it out.";
  if (value.size() > kMaxValueBytes) return "a value of at most 64 KB.";
  if (has_forbidden_character(option.kind, value)) {
    return "in UTF-8 and in one line, without control characters.";
  }
  return fault_of_kind(option, value);
}

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
  TRY_VOID(check_options(config));
  const Provider& provider = *find_provider(config.type);
  auto given = check_options_given(provider, config.parameters, false);
  return given ? check_logins(provider, config.parameters) : given;
}

Result<void> check_before_login(const RemoteConfig& config) {
  TRY_VOID(check_options(config));
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

namespace json = boost::json;

json::object config_request_of(const std::string& name, const RemoteConfig& config) {
  json::object parameters;
  for (const auto& [key, value] : config.parameters) parameters[key] = value;
  if (config.parameters.contains("token")) parameters["config_refresh_token"] = "false";
  return {{"name", name},
          {"type", config.type},
          {"parameters", std::move(parameters)},
          {"opt", json::object{{"nonInteractive", true}, {"obscure", true}}}};
}

}  // namespace coffer::rclone
