#pragma once

#include <optional>
#include <string>

#include "backends/rclone/providers/providers.h"
#include "base/encoding.h"

namespace coffer::rclone {

/// Where a person agrees that a client of their own uses a drive, and where that gets its token.
struct OAuthEndpoints {
  std::string authorize_url;
  std::string token_url;
  std::string scope = {};       ///< What the client asks for, divided by spaces; empty for none.
  FormFields words = {};        ///< What the page of consent is asked with besides.
  std::string token_type = {};  ///< What rclone needs as the token's type; empty: any.
};

/// As rclone 1.60.1 asks the provider of such a remote, with its options `auth_url` and
/// `token_url` where they are given. Nothing for a provider that sends no person back to a
/// client's own address. The configuration must have passed `check_options`.
std::optional<OAuthEndpoints> oauth_endpoints(const RemoteConfig& config);

}  // namespace coffer::rclone
