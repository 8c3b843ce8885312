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
  std::map<std::string, std::string> parameters;  ///< The value of each option, in plain text.
};

/// Checks that the provider, the options and their values are allowed. Does not check that required
/// options are present. If the check fails, returns `invalid` with a one-line message, which says
/// what to do and does not contain the values.
Result<void> check_options(const RemoteConfig& config);

/// Makes the checks of `check_options`, and checks that all options that rclone needs are present.
/// Only a configuration that passes may be given to rclone. Any other might make rclone log in with
/// this machine's identity, or crash the rclone process, which serves all remotes.
Result<void> check(const RemoteConfig& config);

/// Makes the checks of `check` for a user who has not logged in at the provider yet. So two kinds
/// of options may be missing: those that form a login, and those with Option::is_found_at_login.
Result<void> check_before_login(const RemoteConfig& config);

/// Returns those parameters of `config` that `check_options` accepts.
std::map<std::string, std::string> only_allowed(RemoteConfig config);

/// Returns true for a password, token or key: such a value must never be shown. Also returns true
/// for a parameter that is not allowed.
bool is_secret(std::string_view type, std::string_view parameter);

/// Returns true for a parameter that determines where requests and their secrets are sent. Also
/// returns true for a parameter that is not allowed.
bool is_address(std::string_view type, std::string_view parameter);

/// If the parameter is the key of a Google service account, returns the email address in `value`,
/// which names the account at the provider. Returns an empty text for all other parameters.
std::string account_of(std::string_view type, std::string_view parameter, std::string_view value);

/// Returns the hosts (names and literal addresses) that the parameters contain, without ports and
/// brackets. The configuration must have passed `check`. The caller must check literal addresses,
/// because rclone reaches loopback addresses without the proxy, which checks all other addresses.
std::vector<std::string> hosts_of(const RemoteConfig& config);

/// Returns true if `rclone authorize` can log in to the provider and prints an OAuth token.
bool uses_oauth(std::string_view type);

/// Returns the parameters of rclone's method `config/create` for a remote of that name. They tell
/// rclone to encode the secret values (`rclone obscure`), and to ask no questions.
boost::json::object config_request_of(const std::string& name, const RemoteConfig& config);

}  // namespace coffer::rclone
