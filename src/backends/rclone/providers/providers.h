#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

/// Which remotes rclone may be configured with. A user names a remote, but rclone runs as the
/// server: only providers and options of a table are allowed, none of which reads a file of this
/// machine, runs a command, or logs in as this machine.

namespace coffer::rclone {

/// A remote as rclone is configured with it.
struct RemoteConfig {
  std::string type;                               ///< rclone's name: `webdav`, `s3`, `drive`.
  std::map<std::string, std::string> parameters;  ///< By rclone's names; no value is obscured.
};

/// `invalid`, with one line that says what to do and repeats no value, if a provider or an option
/// is not allowed or a value cannot be. Options may still be missing.
Result<void> check_options(const RemoteConfig& config);

/// Checks as `check_options` does, and that no option is missing that rclone needs. Only a
/// configuration that passed may be given to rclone: some others would log in as this machine, or
/// end rclone with all its remotes.
Result<void> check(const RemoteConfig& config);

/// Checks as `check` does, without the options that a login with a token gives.
Result<void> check_before_login(const RemoteConfig& config);

/// Returns the parameters that pass `check_options`.
std::map<std::string, std::string> only_allowed(RemoteConfig config);

/// True if the parameter is a password, token or key that is never shown. Also for what is not
/// allowed.
bool is_secret(std::string_view type, std::string_view parameter);

/// True if requests, and so secrets, go where the parameter says. Also for what is not allowed.
bool is_address(std::string_view type, std::string_view parameter);

/// Returns the account that a parameter's value names; else empty.
std::string account_of(std::string_view type, std::string_view parameter, std::string_view value);

/// The hosts that the parameters name, without ports and brackets: names and literal addresses. The
/// configuration must have passed `check`. rclone goes to literal loopback addresses past any
/// proxy.
std::vector<std::string> hosts_of(const RemoteConfig& config);

/// True if `rclone authorize` logs in to the provider: it prints an OAuth token (`token`).
bool uses_oauth(std::string_view type);

/// Returns the parameters of `config/create` for a remote of that name. rclone obscures values
/// itself, and asks no questions if a token is given.
boost::json::object config_request_of(const std::string& name, const RemoteConfig& config);

}  // namespace coffer::rclone
