#include "core/keys/authenticator.h"

#include <sodium.h>

namespace coffer::core {

namespace {

using GrantPtr = std::shared_ptr<const catalog::Grant>;

std::unexpected<Error> no_such_link() {
  return fail(ErrorCode::not_found, "There is no such link, or it has ended.");
}

}  // namespace

catalog::SecretHash hash_secret(std::string_view secret) {
  catalog::SecretHash hash;
  static_assert(sizeof hash == crypto_generichash_BYTES);
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                     reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), nullptr,
                     0);
  return hash;
}

Task<Result<Principal>> Authenticator::by_key(std::string_view secret) {
  CO_TRY(auto grant, co_await find(hash_secret(secret)));
  const catalog::Key& key = grant->key;
  if (key.kind != catalog::KeyKind::api_key)
    co_return fail(ErrorCode::unauthenticated, "The API key is not valid.");
  if (has_expired(key)) {
    co_return fail(ErrorCode::unauthenticated, "The API key has expired.");
  }
  keys_.note_use(key.id);
  co_return principal_of(grant);
}

Task<Result<GrantPtr>> Authenticator::by_link(std::string_view token) {
  auto grant = co_await find(hash_secret(token));
  if (!grant && grant.error().code == ErrorCode::unauthenticated) co_return no_such_link();
  if (!grant) co_return grant;
  const catalog::Key& key = (*grant)->key;
  if (key.kind != catalog::KeyKind::link || has_expired(key)) co_return no_such_link();
  keys_.note_use(key.id);
  co_return grant;
}

Task<Result<GrantPtr>> Authenticator::find(const catalog::SecretHash& hash) {
  auto grant = keys_.find_now(hash);
  if (!grant) {
    CO_TRY(grant, co_await keys_.find(hash));
  }
  if (grant->key.change_id.empty()) co_return grant;
  co_return co_await folder_changes_.wait_for_change(std::move(grant));
}

}  // namespace coffer::core
