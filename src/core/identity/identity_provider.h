#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "catalog/identities.h"
#include "core/identity/sign_in_probe.h"

namespace coffer::core {

/// A person who signed in at a provider, as the provider describes one.
struct ProvidedPerson {
  catalog::IdentityName identity;
  std::optional<std::string> session = {};  ///< The id of the session at the provider.
  /// When the person last showed there who they are; absent if the provider does not say.
  std::optional<Timestamp> authenticated_at = {};
  /// What shows the provider at a sign-out whose session is to end; see logout_address.
  std::string proof = {};
  std::string name = {};          ///< May be empty, and anything else.
  std::string display_name = {};  ///< As `name`.
  /// The person's groups; nullopt if the provider says nothing of groups, which is different from
  /// a person without any.
  std::optional<std::vector<std::string>> groups = {};
  std::optional<std::uint64_t> quota_bytes = {};  ///< 0: unlimited.
};

/// What the provider says of a sign-out there: all sessions of the subject are over, or the one.
struct ProviderLogout {
  std::string id;  ///< Of this message.
  std::string issuer;
  std::optional<std::string> subject = {};
  std::optional<std::string> session = {};
  Timestamp expires_at{};  ///< Later, the message is not taken any more.
};

/// A request that a browser takes to the provider.
struct ProviderRequest {
  std::string redirect;  ///< Where the provider sends the browser back to.
  std::string state;
  std::string nonce;
  std::string challenge;    ///< Of PKCE, by S256 (RFC 7636, section 4.2).
  std::string prompt = {};  ///< `none`, `login` or `select_account`; may be empty.
  bool asks_again = false;  ///< The provider is to have the person show anew who they are.
};

/// The provider's answer, with what the request was made of.
struct ProviderAnswer {
  std::string code;
  std::optional<std::string> issuer;  ///< `iss` (RFC 9207).
  std::string redirect;
  std::string nonce;
  std::string verifier;  ///< Of PKCE.
};

/// A provider of OpenID Connect that people sign in at. Safe from any thread. The errors of all
/// calls, none of which repeats what the provider says:
/// - `unauthenticated` if the provider's answer does not prove who signed in; the message says why
/// - `unavailable` and `timed_out` if the provider cannot be asked, or refuses this server
/// - `overloaded` if too many calls wait for it
class IdentityProvider {
 public:
  virtual ~IdentityProvider() = default;
  /// Returns the address at the provider that a browser is sent to for signing in.
  virtual Task<Result<std::string>> authorization_address(ProviderRequest request) = 0;
  /// Exchanges the code for the person who signed in.
  virtual Task<Result<ProvidedPerson>> exchange(ProviderAnswer answer) = 0;
  /// Reads a logout token. Whether it was used before is left to the caller.
  virtual Task<Result<ProviderLogout>> read_logout_token(std::string token) = 0;
  /// Returns the address at the provider that a browser is sent to for signing out there, and that
  /// leads back to `return_to`; empty if the provider has none. Without the `proof` of the sign-in,
  /// which may be empty, the provider may ask whether the person means it.
  virtual Task<Result<std::string>> logout_address(std::string return_to, std::string proof) = 0;
  /// Asks the provider for its metadata and its keys, as they are now. Fails only with
  /// `overloaded`.
  virtual Task<Result<ProviderProbe>> probe() = 0;
  /// Returns the person of an ID token with these claims, which nobody has proved. `invalid` if
  /// they name no person of the provider.
  virtual Result<ProvidedPerson> describe(const boost::json::object& claims) const = 0;
};

}  // namespace coffer::core
