#pragma once

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

/// As `check_options`, and `invalid` as well if an option is missing that rclone cannot do without.
/// Only what passed may be given to rclone: some of the rest would log in as this machine, or end
/// rclone with all its remotes.
Result<void> check(const RemoteConfig& config);

/// As `check`, of what is known before `rclone authorize` printed a token: what a login gives may
/// be missing.
Result<void> check_before_login(const RemoteConfig& config);

/// Of some parameters those that pass `check_options`.
std::map<std::string, std::string> only_allowed(RemoteConfig config);

/// True if the parameter is a password, token or key that is never shown. Also for what is not
/// allowed.
bool is_secret(std::string_view type, std::string_view parameter);

/// True if requests, and so secrets, go where the parameter says. Also for what is not allowed.
bool is_address(std::string_view type, std::string_view parameter);

/// Whose login a parameter is, where its value says so by itself; else empty.
std::string account_of(std::string_view type, std::string_view parameter, std::string_view value);

/// The hosts that the parameters name, without ports and brackets: names and literal addresses. The
/// configuration must have passed `check`. rclone goes to literal loopback addresses past any
/// proxy.
std::vector<std::string> hosts_of(const RemoteConfig& config);

/// True if `rclone authorize` logs in to the provider: it prints an OAuth token (`token`).
bool uses_oauth(std::string_view type);

}  // namespace coffer::rclone
