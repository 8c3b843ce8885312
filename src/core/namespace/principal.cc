#include "core/namespace/principal.h"

#include "base/client_network.h"

namespace coffer::core {

bool has_expired(const catalog::Key& key) {
  return key.expires_at && *key.expires_at <= now();
}

bool has_expired(const catalog::WebSession& session, Timestamp at) {
  return at - session.last_seen_at > kSessionIdleLimit ||
         at - session.created_at > kSessionLifetime;
}

Result<void> check_may_write(const Principal& principal) {
  if (!principal.read_only) return {};
  return fail(ErrorCode::forbidden, "This key may only read.");
}

std::optional<catalog::Asker> asker_of(const Principal& principal) {
  if (!principal.credential) return std::nullopt;
  return catalog::Asker{*principal.credential, false, principal.address};
}

std::optional<catalog::Asker> administrator_of(const Principal& principal) {
  auto asker = asker_of(principal);
  if (asker) asker->must_be_admin = true;
  return asker;
}

storage::Author author_of(const Principal& principal) {
  return {principal.account->name, principal.key ? principal.key->value : std::string()};
}

MemoryHolder holder_of(const Principal& principal) {
  MemoryHolder holder{principal.account->name, principal.is_guest};
  if (principal.is_guest) holder.network = network_of(principal.address);
  return holder;
}

Result<void> check_confirmed(const Principal& principal) {
  if (!principal.session || now() - principal.session->confirmed_at < kConfirmedFor) return {};
  return fail(ErrorCode::unconfirmed,
              "This is about who may use an account: confirm first that it is you, with "
              "POST /api/v2/session/confirm.");
}

Principal principal_of(const std::shared_ptr<const catalog::Grant>& grant) {
  Principal principal;
  principal.account = {grant, &grant->account};
  principal.credential = {grant, &grant->credential};
  principal.read_only = grant->key.read_only;
  principal.expires_at = grant->key.expires_at;
  principal.key = {grant, &grant->key.id};
  if (grant->key.folder) principal.scope = {grant, &*grant->key.folder};
  return principal;
}

Principal principal_of(const std::shared_ptr<const catalog::SessionGrant>& grant) {
  Principal principal;
  principal.account = {grant, &grant->account};
  principal.credential = {grant, &grant->credential};
  principal.session = {grant, &grant->session};
  principal.has_second_factor = grant->has_second_factor;
  return principal;
}

}  // namespace coffer::core
