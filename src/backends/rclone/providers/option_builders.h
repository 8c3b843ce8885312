#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "backends/rclone/providers/provider.h"

/// The words that the tables of options are written in.
namespace coffer::rclone::builders {

constexpr Option text(std::string_view name) {
  Option option;
  option.name = name;
  return option;
}

constexpr Option secret(Option option) {
  option.is_secret = true;
  return option;
}

constexpr Option secret(std::string_view name) {
  return secret(text(name));
}

constexpr Option choice(std::string_view name, std::string_view choices) {
  Option option = text(name);
  option.kind = OptionKind::choice;
  option.choices = choices;
  return option;
}

constexpr Option boolean(std::string_view name) {
  return choice(name, "true|false");
}
constexpr Option tristate(std::string_view name) {
  return choice(name, "true|false|unset");
}

constexpr Option address(Option option) {
  option.is_address = true;
  return option;
}

constexpr Option address(std::string_view name, OptionKind kind = OptionKind::url) {
  Option option = address(text(name));
  option.kind = kind;
  return option;
}

constexpr Option required(Option option) {
  option.is_required = true;
  return option;
}

constexpr Option together(Option option, std::string_view partner) {
  option.partner = partner;
  return option;
}

/// Where `rclone authorize` gives the token, it or the dialogue after it gives this too.
constexpr Option found_at_login(Option option) {
  option.is_found_at_login = true;
  return option;
}

/// `config/providers` of 1.60 does not tell of it, though the provider reads it.
constexpr Option unlisted(Option option, std::string_view help) {
  option.help = help;
  return option;
}

constexpr Option token() {
  Option option = secret("token");
  option.kind = OptionKind::token;
  return option;
}

constexpr Option service_account() {
  Option option = secret("service_account_credentials");
  option.kind = OptionKind::service_account;
  return option;
}

/// What an OAuth login may need, before a provider's own options. Where tokens come from and where
/// they are renewed: a person's own application may need it.
template <std::size_t N>
constexpr std::array<Option, N + 5> with_oauth(const Option (&own)[N]) {
  std::array<Option, N + 5> all{text("client_id"), secret("client_secret"), token(),
                                address("auth_url"), address("token_url")};
  std::ranges::copy(own, all.begin() + 5);
  return all;
}

inline constexpr std::string_view kTokenHelp =
    "The JSON that `rclone authorize` prints on a machine with a browser.";

}  // namespace coffer::rclone::builders
