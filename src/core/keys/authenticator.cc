#include "core/keys/authenticator.h"

#include "core/keys/secret.h"

namespace coffer::core {

namespace {

using GrantPtr = std::shared_ptr<const catalog::Grant>;

std::unexpected<Error> no_such_link() {
  return fail(ErrorCode::not_found, "There is no such link, or it has ended.");
}

}  // namespace

Task<Result<Principal>> Authenticator::by_key(std::string_view secret) {
  auto grant = co_await find(hash_secret(secret));
  if (!grant) co_return failure_of(std::move(grant));
  const catalog::Key& key = (*grant)->key;
  if (key.is_link) co_return fail(ErrorCode::unauthenticated, "The API key is not valid.");
  if (has_expired(key)) {
    co_return fail(ErrorCode::unauthenticated, "The API key has expired.");
  }
  keys_.note_use(key.id);
  co_return principal_of(*grant);
}

Task<Result<GrantPtr>> Authenticator::by_link(std::string_view token) {
  auto grant = co_await find(hash_secret(token));
  if (!grant && grant.error().code == ErrorCode::unauthenticated) co_return no_such_link();
  if (!grant) co_return grant;
  const catalog::Key& key = (*grant)->key;
  if (!key.is_link || has_expired(key)) co_return no_such_link();
  keys_.note_use(key.id);
  co_return grant;
}

Task<Result<GrantPtr>> Authenticator::find(const catalog::SecretHash& hash) {
  auto grant = keys_.find_now(hash);
  if (!grant) {
    auto found = co_await keys_.find(hash);
    if (!found) co_return found;
    grant = *std::move(found);
  }
  if (grant->key.change_id.empty()) co_return grant;
  co_return co_await folder_changes_.arrived(std::move(grant));
}

}  // namespace coffer::core
