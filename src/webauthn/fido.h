#pragma once

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>

#include <memory>

#include "base/late_library.h"

/// libfido2, which is loaded when one of its functions is called first: a server without passkeys
/// never needs it. Each function is that of the same name in libfido2's manual, without `fido_`.
/// No call of it here opens a device.
namespace coffer::webauthn::fido {

extern LateLibrary library;

#define COFFER_FIDO_FUNCTION_(name) \
  inline const LateFunction<decltype(&::fido_##name)> name(library, "fido_" #name)
#define COFFER_FIDO_KEY_FUNCTION_(name) \
  inline const LateFunction<decltype(&::name)> name(library, #name)
COFFER_FIDO_FUNCTION_(assert_flags);
COFFER_FIDO_FUNCTION_(assert_free);
COFFER_FIDO_FUNCTION_(assert_new);
COFFER_FIDO_FUNCTION_(assert_set_authdata_raw);
COFFER_FIDO_FUNCTION_(assert_set_clientdata_hash);
COFFER_FIDO_FUNCTION_(assert_set_count);
COFFER_FIDO_FUNCTION_(assert_set_rp);
COFFER_FIDO_FUNCTION_(assert_set_sig);
COFFER_FIDO_FUNCTION_(assert_set_up);
COFFER_FIDO_FUNCTION_(assert_sigcount);
COFFER_FIDO_FUNCTION_(assert_verify);
COFFER_FIDO_FUNCTION_(cred_aaguid_len);
COFFER_FIDO_FUNCTION_(cred_aaguid_ptr);
COFFER_FIDO_FUNCTION_(cred_flags);
COFFER_FIDO_FUNCTION_(cred_free);
COFFER_FIDO_FUNCTION_(cred_id_len);
COFFER_FIDO_FUNCTION_(cred_id_ptr);
COFFER_FIDO_FUNCTION_(cred_new);
COFFER_FIDO_FUNCTION_(cred_pubkey_len);
COFFER_FIDO_FUNCTION_(cred_pubkey_ptr);
COFFER_FIDO_FUNCTION_(cred_set_authdata_raw);
COFFER_FIDO_FUNCTION_(cred_set_type);
COFFER_FIDO_FUNCTION_(cred_sigcount);
COFFER_FIDO_KEY_FUNCTION_(eddsa_pk_free);
COFFER_FIDO_KEY_FUNCTION_(eddsa_pk_from_ptr);
COFFER_FIDO_KEY_FUNCTION_(eddsa_pk_new);
COFFER_FIDO_KEY_FUNCTION_(es256_pk_free);
COFFER_FIDO_KEY_FUNCTION_(es256_pk_from_ptr);
COFFER_FIDO_KEY_FUNCTION_(es256_pk_new);
COFFER_FIDO_KEY_FUNCTION_(rs256_pk_free);
COFFER_FIDO_KEY_FUNCTION_(rs256_pk_from_ptr);
COFFER_FIDO_KEY_FUNCTION_(rs256_pk_new);
#undef COFFER_FIDO_FUNCTION_
#undef COFFER_FIDO_KEY_FUNCTION_

/// What frees an object of the library.
template <const auto& kFree>
struct Freeing {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(&object);
  }
};
using Credential = std::unique_ptr<fido_cred_t, Freeing<cred_free>>;
using Assertion = std::unique_ptr<fido_assert_t, Freeing<assert_free>>;
using Es256Key = std::unique_ptr<es256_pk_t, Freeing<es256_pk_free>>;
using EddsaKey = std::unique_ptr<eddsa_pk_t, Freeing<eddsa_pk_free>>;
using Rs256Key = std::unique_ptr<rs256_pk_t, Freeing<rs256_pk_free>>;

}  // namespace coffer::webauthn::fido
