#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

/// Checks the configuration of remotes. Users write it, but rclone runs with the rights of the
/// server. So only the providers and options of a table (provider_table.h) are allowed. None of
/// them reads a file of this machine, runs a command, or logs in with this machine's identity.

namespace coffer::rclone {

/// The configuration of a remote, as rclone gets it.
struct RemoteConfig {
  std::string type;                               ///< rclone's name: `webdav`, `s3`, `drive`.
  std::map<std::string, std::string> parameters;  ///< By option name; no value is obscured.
};

/// Checks that the provider, the options and their values are allowed. Required options may be
/// missing. Otherwise `invalid`, with a one-line message that says what to do and repeats no value.
Result<void> check_options(const RemoteConfig& config);

/// Checks as `check_options` does, and also that no option is missing that rclone needs. rclone may
/// be given only a configuration that passed: others might make it log in with this machine's
/// identity, or end it with all its remotes.
Result<void> check(const RemoteConfig& config);

/// Checks as `check` does, but the login may still be missing, and also the options that rclone
/// determines after a login with a token.
Result<void> check_before_login(const RemoteConfig& config);

/// Returns the parameters that `check_options` accepts.
std::map<std::string, std::string> only_allowed(RemoteConfig config);

/// Returns true for a password, token or key, which must never be shown, and for a parameter that
/// is not allowed.
bool is_secret(std::string_view type, std::string_view parameter);

/// Returns true for a parameter that determines where requests and their secrets are sent, and for
/// a parameter that is not allowed.
bool is_address(std::string_view type, std::string_view parameter);

/// Returns the account that the parameter's value names; empty if it names none.
std::string account_of(std::string_view type, std::string_view parameter, std::string_view value);

/// Returns the hosts that the parameters name, without ports and brackets: names and literal
/// addresses. The configuration must have passed `check`. The caller has to check literal
/// addresses, since rclone bypasses any proxy for those of loopback.
std::vector<std::string> hosts_of(const RemoteConfig& config);

/// Returns true if `rclone authorize` can log in to the provider and prints an OAuth token.
bool uses_oauth(std::string_view type);

/// Returns the parameters of rclone's method `config/create` for a remote of that name. They make
/// rclone obscure the secret values itself, and ask no questions.
boost::json::object config_request_of(const std::string& name, const RemoteConfig& config);

}  // namespace coffer::rclone
