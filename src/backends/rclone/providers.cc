#include "backends/rclone/providers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "backends/rclone/address_text.h"
#include "backends/rclone/credential_json.h"
#include "backends/rclone/option_value.h"
#include "backends/rclone/provider_table.h"

namespace coffer::rclone {
namespace {

std::unexpected<Error> invalid(std::string message) {
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
  std::string plain(name);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return plain;
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

std::unexpected<Error> unknown_type(std::string_view type) {
  const std::string plain = plain_spelling(type);
  if (plain == "ftp" || plain == "sftp") {
    return invalid(fmt::format("Make a connector of the kind {0}: {0} is no cloud drive.", plain));
  }
  if (const auto known = known_type(type); !known.empty()) {
    return invalid(fmt::format("Write the provider as {}.", known));
  }
  return invalid(fmt::format("{} is not allowed: take one of {}.", shown("provider", type),
                             list_of(provider_table(), &Provider::type)));
}

/// The allowed option that somebody may have meant by another spelling of its name.
const Option* meant_option(const Provider& provider, std::string_view name) {
  std::string plain = plain_spelling(name);
  std::ranges::replace(plain, '-', '_');
  const std::string prefix = fmt::format("{}_", provider.type);
  for (const Option& option : provider.options) {
    const std::string spelling = plain_spelling(option.name);
    if (plain == spelling || plain == prefix + spelling) return &option;
  }
  return nullptr;
}

std::unexpected<Error> unknown_option(const Provider& provider, std::string_view name) {
  if (plain_spelling(name).starts_with("config_")) {
    return invalid(
        "Leave out the options that begin with config_: they answer rclone's questions.");
  }
  if (const Option* const meant = meant_option(provider, name)) {
    return invalid(fmt::format("Write the option as {}.", meant->name));
  }
  return invalid(fmt::format("{} is not allowed with {}: leave it out, or take one of {}.",
                             shown("option", name), provider.type,
                             list_of(provider.options, &Option::name)));
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

std::vector<std::string_view> provider_types() {
  std::vector<std::string_view> types;
  for (const Provider& provider : provider_table()) types.push_back(provider.type);
  return types;
}

}  // namespace coffer::rclone
