#include "core/keys/secret.h"

#include <sodium.h>

#include <stdexcept>

namespace coffer::core {
namespace {

void require_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium could not be initialised");
}

}  // namespace

catalog::KeyHash hash_key_secret(std::string_view secret) {
  catalog::KeyHash hash;
  static_assert(sizeof hash == crypto_generichash_BYTES);
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                     reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), nullptr,
                     0);
  return hash;
}

Result<std::string> hash_password(std::string_view password) {
  require_sodium();
  char text[crypto_pwhash_STRBYTES];
  if (crypto_pwhash_str_alg(text, password.data(), password.size(),
                            crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE,
                            crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return fail(ErrorCode::failed, "There is not enough memory to hash the password.");
  }
  return std::string(text);
}

}  // namespace coffer::core
