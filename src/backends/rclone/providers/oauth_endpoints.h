#pragma once

#include <optional>
#include <string>

#include "backends/rclone/providers/providers.h"
#include "base/encoding.h"

namespace coffer::rclone {

/// The addresses of a provider for an OAuth login with a person's own client, and the parameters of
/// its consent page.
struct OAuthEndpoints {
  std::string authorize_url;    ///< The consent page.
  std::string token_url;        ///< Exchanges the code for a token.
  std::string scope = {};       ///< The scopes, separated as the provider expects; empty for none.
  FormFields words = {};        ///< Further parameters of the consent page.
  std::string token_type = {};  ///< The token type that rclone needs; empty for any.
};

/// Returns the addresses that rclone 1.60.1 uses for the remote; its options `auth_url` and
/// `token_url` override them. Returns nullopt if the provider does not allow a login with a
/// person's own client. The configuration must have passed `check_options`.
std::optional<OAuthEndpoints> oauth_endpoints(const RemoteConfig& config);

}  // namespace coffer::rclone
