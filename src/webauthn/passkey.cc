#include "webauthn/passkey.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <ranges>

#include "webauthn/fido.h"

namespace coffer::webauthn {
namespace {

// Bits of the authenticator data's flags (section 6.1).
constexpr std::uint8_t kUserPresent = 0x01;
constexpr std::uint8_t kUserVerified = 0x04;
constexpr std::uint8_t kBackedUp = 0x10;

using Digest = std::array<unsigned char, crypto_hash_sha256_BYTES>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Digest sha256(std::string_view text) {
  Digest digest{};
  crypto_hash_sha256(digest.data(), bytes_of(text), text.size());
  return digest;
}

std::string text_of(const unsigned char* bytes, std::size_t count) {
  return bytes == nullptr ? std::string() : std::string(bytes, bytes + count);
}

/// libfido2 fails to make an object only without memory.
template <class Pointer>
Pointer made(Pointer object) {
  if (!object) throw std::bad_alloc();
  return object;
}

std::unexpected<Error> refuse(const char* why) {
  return fail(ErrorCode::unauthenticated, why);
}

AuthenticatorState state_of(std::uint8_t flags, std::uint32_t counter) {
  return {(flags & kUserVerified) != 0, (flags & kBackedUp) != 0, counter};
}

/// Reads the data of a key of this algorithm; null if it is of another, or none at all.
fido::Credential read_with(Algorithm algorithm, std::string_view authenticator_data) {
  auto credential = made(fido::Credential(fido::cred_new()));
  const bool is_read =
      fido::cred_set_type(credential.get(), static_cast<int>(algorithm)) == FIDO_OK &&
      fido::cred_set_authdata_raw(credential.get(), bytes_of(authenticator_data),
                                  authenticator_data.size()) == FIDO_OK;
  return is_read ? std::move(credential) : nullptr;
}

NewPasskey passkey_in(const fido_cred_t* credential, Algorithm algorithm) {
  NewPasskey passkey;
  passkey.credential_id = text_of(fido::cred_id_ptr(credential), fido::cred_id_len(credential));
  passkey.algorithm = algorithm;
  passkey.public_key =
      text_of(fido::cred_pubkey_ptr(credential), fido::cred_pubkey_len(credential));
  passkey.aaguid = text_of(fido::cred_aaguid_ptr(credential), fido::cred_aaguid_len(credential));
  passkey.state = state_of(fido::cred_flags(credential), fido::cred_sigcount(credential));
  return passkey;
}

/// The data begins with the digest of the domain.
bool is_of_domain(std::string_view authenticator_data, std::string_view rp_id) {
  const Digest wanted = sha256(rp_id);
  return authenticator_data.substr(0, wanted.size()) == text_of(wanted.data(), wanted.size());
}

/// Whatever frees the key is part of the pointer.
std::shared_ptr<const void> key_of(Algorithm algorithm, std::string_view bytes) {
  const auto load = [&](auto key, const auto& from_ptr) -> std::shared_ptr<const void> {
    if (from_ptr(key.get(), bytes.data(), bytes.size()) != FIDO_OK) return nullptr;
    return std::shared_ptr<const void>(std::move(key));
  };
  switch (algorithm) {
    case Algorithm::eddsa:
      return load(made(fido::EddsaKey(fido::eddsa_pk_new())), fido::eddsa_pk_from_ptr);
    case Algorithm::es256:
      return load(made(fido::Es256Key(fido::es256_pk_new())), fido::es256_pk_from_ptr);
    case Algorithm::rs256:
      return load(made(fido::Rs256Key(fido::rs256_pk_new())), fido::rs256_pk_from_ptr);
  }
  return nullptr;
}

/// Gives the library all that the answer says; false if it is none.
bool fill(fido_assert_t* into, std::string_view rp_id, const Assertion& assertion) {
  const Digest hash = sha256(assertion.client_data);
  return fido::assert_set_rp(into, std::string(rp_id).c_str()) == FIDO_OK &&
         fido::assert_set_clientdata_hash(into, hash.data(), hash.size()) == FIDO_OK &&
         fido::assert_set_count(into, std::size_t{1}) == FIDO_OK &&
         fido::assert_set_authdata_raw(into, std::size_t{0}, bytes_of(assertion.authenticator_data),
                                       assertion.authenticator_data.size()) == FIDO_OK &&
         fido::assert_set_sig(into, std::size_t{0}, bytes_of(assertion.signature),
                              assertion.signature.size()) == FIDO_OK &&
         fido::assert_set_up(into, FIDO_OPT_TRUE) == FIDO_OK;
}

}  // namespace

Result<NewPasskey> read_registration(std::string_view rp_id, std::string_view authenticator_data) {
  if (!is_of_domain(authenticator_data, rp_id)) {
    return refuse("The passkey is of another domain than this server's.");
  }
  for (const Algorithm algorithm : {Algorithm::eddsa, Algorithm::es256, Algorithm::rs256}) {
    const auto credential = read_with(algorithm, authenticator_data);
    if (!credential) continue;
    if ((fido::cred_flags(credential.get()) & kUserPresent) == 0) {
      return refuse("Nobody touched the authenticator.");
    }
    return passkey_in(credential.get(), algorithm);
  }
  return refuse("The passkey has no key of a kind that this server knows.");
}

Result<AuthenticatorState> check_assertion(std::string_view rp_id, Algorithm algorithm,
                                           std::string_view public_key,
                                           const Assertion& assertion) {
  const auto checked = made(fido::Assertion(fido::assert_new()));
  const auto key = key_of(algorithm, public_key);
  const bool is_right = key && fill(checked.get(), rp_id, assertion) &&
                        fido::assert_verify(checked.get(), std::size_t{0},
                                            static_cast<int>(algorithm), key.get()) == FIDO_OK;
  if (!is_right) return refuse("The passkey's answer is not right.");
  return state_of(fido::assert_flags(checked.get(), std::size_t{0}),
                  fido::assert_sigcount(checked.get(), std::size_t{0}));
}

}  // namespace coffer::webauthn
