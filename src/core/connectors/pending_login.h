#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "core/connectors/connector_settings.h"
#include "core/connectors/sealer.h"

namespace coffer::core {

/// A login to a drive that a person is about to agree to at its provider. Nothing of it is stored:
/// it goes to the person and comes back, sealed.
struct PendingLogin {
  AccountId account;
  bool by_administrator = false;
  Timestamp expires_at;        ///< To the second.
  std::string redirect;        ///< Where the provider sends the person back to.
  std::string verifier;        ///< RFC 7636, section 4.1.
  ConnectorSettings settings;  ///< Without root, revision and login.
};

/// As it goes to the person, with the secrets that it has.
std::string seal_login(const PendingLogin& login, const Sealer& sealer);
/// `invalid` for what was not sealed so, or altered.
Result<PendingLogin> open_login(std::string_view sealed, const Sealer& sealer);

/// The `state` of the request to the provider (RFC 6749, section 10.12): a digest, so that none of
/// a sealed login stands in addresses. Base64url.
std::string state_of(std::string_view sealed);
/// The `code_challenge` of the method S256 (RFC 7636, section 4.2).
std::string challenge_of(std::string_view verifier);

}  // namespace coffer::core
