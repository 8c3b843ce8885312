#include "catalog/credential.h"

#include <soci/soci.h>

#include <string>

#include "base/text.h"
#include "catalog/generation.h"

namespace coffer::catalog {

Result<Actor> check(soci::session& sql, const std::optional<Asker>& asker) {
  if (!asker) return Actor();
  const bool is_key = asker->credential.kind == Credential::Kind::key;
  const std::string hash = to_hex(asker->credential.hash);
  std::string role;
  Actor actor;
  std::string& id = is_key ? actor.key_id : actor.session_id;
  sql << "SELECT a.name, a.role, c.id FROM " << (is_key ? "api_keys" : "web_sessions")
      << " c JOIN accounts a ON a.id = c.account_id WHERE c.hash = :hash AND a.disabled = 0"
      << (is_key ? "" : " AND c.signed_out_at = 0"),
      soci::use(hash, "hash"), soci::into(actor.name), soci::into(role), soci::into(id);
  if (!sql.got_data()) {
    return fail(ErrorCode::unauthenticated, "The API key or session is not valid any more.");
  }
  if (asker->must_be_admin && role != "admin") {
    return fail(ErrorCode::forbidden, "This takes an administrator.");
  }
  actor.address = asker->address;
  return actor;
}

Result<Actor> begin_change(soci::session& sql, const std::optional<Asker>& asker) {
  if (asker) bump(sql, Generation::auth);  // First, as removals of accounts do.
  auto actor = check(sql, asker);
  if (actor) bump(sql, Generation::mounts);
  return actor;
}

}  // namespace coffer::catalog
