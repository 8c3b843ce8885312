#include "core/keys/secret.h"

#include <sodium.h>

namespace coffer::core {
catalog::SecretHash hash_secret(std::string_view secret) {
  catalog::SecretHash hash;
  static_assert(sizeof hash == crypto_generichash_BYTES);
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                     reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), nullptr,
                     0);
  return hash;
}

}  // namespace coffer::core
