#pragma once

#include <optional>
#include <string>

#include "backends/rclone/providers/providers.h"
#include "base/encoding.h"

namespace coffer::rclone {

/// The URLs of a provider for an OAuth login, and the parameters of its consent page. The login
/// uses an OAuth client that the user has registered at the provider.
struct OAuthEndpoints {
  std::string authorize_url;    ///< The consent page.
  std::string token_url;        ///< Coffer exchanges the authorization code for a token here.
  std::string scope = {};       ///< The parameter `scope` of the consent page; empty for none.
  FormFields words = {};        ///< Further parameters of the consent page.
  std::string token_type = {};  ///< The token type that rclone needs; empty if any type works.
};

/// Returns the URLs that rclone 1.60.1 uses for this configuration. The options `auth_url` and
/// `token_url` in `config` override the standard URLs. Returns nullopt if Coffer does not support a
/// login at the provider. The configuration must have passed `check_options` (providers.h).
std::optional<OAuthEndpoints> oauth_endpoints(const RemoteConfig& config);

}  // namespace coffer::rclone
