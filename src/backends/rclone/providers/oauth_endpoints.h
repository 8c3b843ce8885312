#pragma once

#include <optional>
#include <string>

#include "backends/rclone/providers/providers.h"
#include "base/encoding.h"

namespace coffer::rclone {

/// The addresses where a person allows a client of their own to use a drive, and where that client
/// gets its token.
struct OAuthEndpoints {
  std::string authorize_url;
  std::string token_url;
  std::string scope = {};       ///< The scopes, divided by spaces; empty for none.
  FormFields words = {};        ///< Further parameters of the consent page.
  std::string token_type = {};  ///< The token's type that rclone needs; empty: any.
};

/// Returns the addresses that rclone 1.60.1 uses for such a remote, with its options `auth_url` and
/// `token_url` if they are given. Returns nullopt for a provider that sends no person back to a
/// client's own address. The configuration must have passed `check_options`.
std::optional<OAuthEndpoints> oauth_endpoints(const RemoteConfig& config);

}  // namespace coffer::rclone
