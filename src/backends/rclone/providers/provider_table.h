#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The description of the options that a provider of drives may be configured with.

namespace coffer::rclone {

/// The kinds of values.
enum class OptionKind : std::uint8_t {
  text,             ///< Anything in one line.
  choice,           ///< One of `choices`.
  label,            ///< Letters, digits and dashes: rclone makes a part of a host's name of it.
  url,              ///< http:// or https://, a host, and what follows.
  endpoint,         ///< A URL, or a host as in `host`, which rclone reaches by https.
  host,             ///< A host's name, perhaps with a port: rclone puts more in front of it.
  token,            ///< The JSON that `rclone authorize` prints.
  service_account,  ///< The JSON of a key of a Google service account.
};

/// An option that a remote may have.
struct Option {
  std::string_view name;  ///< As rclone spells it.
  OptionKind kind = OptionKind::text;
  std::string_view choices = {};  ///< Divided by `|`.
  std::string_view partner = {};  ///< The option that must be given together with this one.
  std::string_view help = {};     ///< The help of an option that `config/providers` does not list.
  bool is_secret = false;
  bool is_address = false;
  bool is_required = false;
  bool is_found_at_login = false;  ///< After a login with a token rclone finds it out.
};

/// Options that together are a login. A switch among them has to be `true`.
struct Login {
  std::string_view first;
  std::string_view second = {};
};

struct Provider {
  std::string_view type;
  std::span<const Option> options;
  std::span<const Login> logins = {};  ///< One of them is needed, unless there is none.
  bool is_authorized = false;          ///< `rclone authorize` prints its token.
};

/// The allowed providers and options, sorted by type. All others are refused.
std::span<const Provider> provider_table();

/// Null for what is not in the table.
const Provider* find_provider(std::string_view type);
const Option* find_option(const Provider& provider, std::string_view name);

}  // namespace coffer::rclone
