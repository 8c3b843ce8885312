#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

/// Checks the configuration of remotes (drives that are configured in rclone). Users write the
/// configuration, but rclone runs with the rights of Coffer. So only the providers and options of a
/// table (provider_table.h) are allowed. None of these options makes rclone read a file of this
/// machine, run a command, or log in with this machine's identity.
namespace coffer::rclone {

/// The configuration of a remote, as rclone gets it.
struct RemoteConfig {
  std::string type;                               ///< rclone's name of the provider: `s3`, `drive`.
  std::map<std::string, std::string> parameters;  ///< The values by option; not obscured.
};

/// Checks that the provider, the options and their values are allowed. Does not check that required
/// options are present. If the check fails, returns `invalid` with a one-line message, which says
/// what to do and contains no value.
Result<void> check_options(const RemoteConfig& config);

/// Checks as `check_options` does, and also that all options that rclone needs are present. Only a
/// configuration that passed may be given to rclone. Another one might make rclone log in with this
/// machine's identity, or end the rclone process, which serves all remotes.
Result<void> check(const RemoteConfig& config);

/// Checks a configuration without a login as `check` does. Two kinds of options may be missing:
/// options that form a login, and options that rclone determines after a login with a token.
Result<void> check_before_login(const RemoteConfig& config);

/// Returns the parameters that `check_options` accepts.
std::map<std::string, std::string> only_allowed(RemoteConfig config);

/// Returns true for a password, token or key: such a value must never be shown. Also returns true
/// for a parameter that is not allowed.
bool is_secret(std::string_view type, std::string_view parameter);

/// Returns true for a parameter that determines where requests and their secrets are sent. Also
/// returns true for a parameter that is not allowed.
bool is_address(std::string_view type, std::string_view parameter);

/// Returns the account at the provider that the parameter's value names: the email address in the
/// key of a Google service account. Empty for all other parameters.
std::string account_of(std::string_view type, std::string_view parameter, std::string_view value);

/// Returns the hosts (names and literal addresses) that the parameters contain, without ports and
/// brackets. The configuration must have passed `check`. The caller must check the literal
/// addresses: rclone bypasses any proxy for loopback addresses.
std::vector<std::string> hosts_of(const RemoteConfig& config);

/// Returns true if `rclone authorize` can log in to the provider and prints an OAuth token.
bool uses_oauth(std::string_view type);

/// Returns the parameters of rclone's method `config/create` for a remote of that name. With these
/// parameters, rclone obscures the secret values itself and asks no questions.
boost::json::object config_request_of(const std::string& name, const RemoteConfig& config);

}  // namespace coffer::rclone
