#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/enum_words.h"
#include "base/error.h"

/// Passkeys as a server sees them (WebAuthn Level 3). Where the passkey is kept is not looked at:
/// no attestation is asked for. All calls are safe from any thread.
namespace coffer::webauthn {

/// The algorithms of keys that are taken (IANA's registry of COSE algorithms). The values are those
/// of the registry.
enum class Algorithm : std::int16_t { eddsa = -8, es256 = -7, rs256 = -257 };
constexpr auto words_of(Algorithm) {
  return enum_words<Algorithm>(
      {{Algorithm::eddsa, "EdDSA"}, {Algorithm::es256, "ES256"}, {Algorithm::rs256, "RS256"}});
}

/// What an authenticator says beside its signature (section 6.1).
struct AuthenticatorState {
  bool is_user_verified = false;  ///< By a PIN or a finger, say, and not by a touch alone.
  bool is_backed_up = false;
  std::uint32_t counter = 0;  ///< Of signatures; always 0 for passkeys that several devices have.
};

/// A passkey that was just made.
struct NewPasskey {
  std::string credential_id;  ///< 1 to 1023 bytes.
  Algorithm algorithm = Algorithm::es256;
  std::string public_key;  ///< In the form of libfido2.
  std::string aaguid;      ///< The model of the authenticator: 16 bytes, which may all be 0.
  AuthenticatorState state = {};
};

/// Reads a passkey from the authenticator data of a registration. `unauthenticated` if it is of
/// another domain than `rp_id`, its key is not of an Algorithm, or nobody touched it.
Result<NewPasskey> read_registration(std::string_view rp_id, std::string_view authenticator_data);

/// An answer by which a passkey shows that it is there.
struct Assertion {
  std::string client_data;  ///< JSON as the browser made it; see read_client_data.
  std::string authenticator_data;
  std::string signature;
};

/// Checks the signature of an answer. `unauthenticated` if it is not that of the key, the answer is
/// of another domain, or nobody touched the authenticator.
Result<AuthenticatorState> check_assertion(std::string_view rp_id, Algorithm algorithm,
                                           std::string_view public_key, const Assertion& assertion);

}  // namespace coffer::webauthn
