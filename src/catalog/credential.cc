#include "catalog/credential.h"

#include <soci/soci.h>

#include <string>

#include "base/text.h"
#include "catalog/generation.h"

namespace coffer::catalog {

bool stands(soci::session& sql, const Credential& credential) {
  const char* table = credential.kind == Credential::Kind::key ? "api_keys" : "web_sessions";
  const std::string hash = to_hex(credential.hash);
  long long count = 0;
  sql << "SELECT count(*) FROM " << table
      << " c JOIN accounts a ON a.id = c.account_id WHERE c.hash = :hash AND a.disabled = 0",
      soci::use(hash, "hash"), soci::into(count);
  return count > 0;
}

Result<void> check(soci::session& sql, const std::optional<Asker>& asker) {
  if (!asker) return {};
  const bool is_key = asker->credential.kind == Credential::Kind::key;
  const std::string hash = to_hex(asker->credential.hash);
  std::string role;
  sql << "SELECT a.role FROM " << (is_key ? "api_keys" : "web_sessions")
      << " c JOIN accounts a ON a.id = c.account_id WHERE c.hash = :hash AND a.disabled = 0",
      soci::use(hash, "hash"), soci::into(role);
  if (!sql.got_data()) {
    return fail(ErrorCode::unauthenticated, "The API key or session is not valid any more.");
  }
  if (!asker->must_be_admin || role == "admin") return {};
  return fail(ErrorCode::forbidden, "This takes an administrator.");
}

Result<void> begin_change(soci::session& sql, const std::optional<Asker>& asker) {
  if (asker) bump(sql, Generation::auth);  // First, as where accounts go.
  if (auto asked = check(sql, asker); !asked) return asked;
  bump(sql, Generation::mounts);
  return {};
}

}  // namespace coffer::catalog
