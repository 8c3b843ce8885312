#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::webauthn {

/// What a browser says of a request for a passkey (WebAuthn Level 3, section 5.8.1).
struct ClientData {
  std::string type;       ///< `webauthn.create` or `webauthn.get`.
  std::string challenge;  ///< The bytes that the server asked with.
  std::string origin;     ///< The page that asked.
  bool is_cross_origin = false;
};

/// Reads the JSON of a browser, which may have other members. `unauthenticated` if it is none.
Result<ClientData> read_client_data(std::string_view json);

/// `unauthenticated` if the data is of another type, if another page asked than one of `origin`, or
/// one within a frame of another origin.
Result<void> check_client_data(const ClientData& data, std::string_view type,
                               std::string_view origin);

}  // namespace coffer::webauthn
