#include "core/authenticator.h"

#include "core/secret.h"

namespace coffer::core {

Task<Result<Principal>> Authenticator::by_key(std::string_view secret) {
  const catalog::KeyHash hash = hash_key_secret(secret);
  auto grant = keys_.find_now(hash);
  if (!grant) {
    auto found = co_await keys_.find(hash);
    if (!found) co_return failure_of(std::move(found));
    grant = *std::move(found);
  }
  keys_.note_use(grant->key.id);
  co_return principal_of(grant);
}

}  // namespace coffer::core
