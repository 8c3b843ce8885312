#include "core/keys/authenticator.h"

#include "core/keys/secret.h"

namespace coffer::core {

Task<Result<Principal>> Authenticator::by_key(std::string_view secret) {
  const catalog::SecretHash hash = hash_secret(secret);
  auto grant = keys_.find_now(hash);
  if (!grant) {
    auto found = co_await keys_.find(hash);
    if (!found) co_return failure_of(std::move(found));
    grant = *std::move(found);
  }
  if (!grant->key.change_id.empty()) {
    auto arrived = co_await folder_changes_.arrived(std::move(grant));
    if (!arrived) co_return failure_of(std::move(arrived));
    grant = *std::move(arrived);
  }
  if (has_expired(grant->key)) {
    co_return fail(ErrorCode::unauthenticated, "The API key has expired.");
  }
  keys_.note_use(grant->key.id);
  co_return principal_of(grant);
}

}  // namespace coffer::core
