#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The table of the providers that a drive may have, and of their allowed options.

namespace coffer::rclone {

/// The kind of value that an option takes.
enum class OptionKind : std::uint8_t {
  text,             ///< Any text in one line.
  choice,           ///< One of Option::choices.
  label,            ///< Letters, digits and dashes, which rclone inserts into a host name.
  url,              ///< A URL with http:// or https:// (is_url).
  endpoint,         ///< A URL (is_url) or a host (is_host); rclone connects to a host by HTTPS.
  host,             ///< A host (is_host); rclone puts a subdomain in front of it.
  token,            ///< The JSON that `rclone authorize` prints.
  service_account,  ///< The key of a Google service account, in JSON.
};

/// An option that a remote (a drive that is configured in rclone) may have.
struct Option {
  std::string_view name;  ///< As rclone spells it.
  OptionKind kind = OptionKind::text;
  std::string_view choices = {};  ///< For a `choice`: the allowed values, separated by `|`.
  std::string_view partner = {};  ///< The option that must be given too if this one is given.
  std::string_view help = {};     ///< Used if rclone's `config/providers` lacks this option.
  bool is_secret = false;
  bool is_address = false;
  bool is_required = false;
  bool is_found_at_login = false;  ///< rclone determines the value after a login with a token.
};

/// One or two options that together are sufficient for a login. An option of the kind `choice`
/// counts as given only if its value is not `false`.
struct Login {
  std::string_view first;
  std::string_view second = {};
};

struct Provider {
  std::string_view type;
  std::span<const Option> options;
  std::span<const Login> logins = {};  ///< One of these is needed, unless the list is empty.
  bool is_authorized = false;          ///< `rclone authorize` can log in and prints a token.
};

/// Returns the allowed providers, sorted by type. All others are refused.
std::span<const Provider> provider_table();

/// Returns the provider of that type; null if the table has none.
const Provider* find_provider(std::string_view type);
/// Returns the provider's option of that name; null if the table has none.
const Option* find_option(const Provider& provider, std::string_view name);

}  // namespace coffer::rclone
