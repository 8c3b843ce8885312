#include "catalog/credential.h"

#include <string>
#include <string_view>

#include "base/text.h"
#include "catalog/generation.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kSelectByKey =
    "SELECT a.name, a.role, c.id FROM api_keys c JOIN accounts a ON a.id = c.account_id "
    "WHERE c.hash = $1 AND a.disabled = 0";
constexpr std::string_view kSelectBySession =
    "SELECT a.name, a.role, c.id FROM web_sessions c JOIN accounts a ON a.id = c.account_id "
    "WHERE c.hash = $1 AND a.disabled = 0 AND c.signed_out_at = 0";

}  // namespace

Result<Actor> check(sql::Connection& sql, const std::optional<Asker>& asker) {
  if (!asker) return Actor();
  const bool is_key = asker->credential.kind == Credential::Kind::key;
  const auto row =
      sql.first(is_key ? kSelectByKey : kSelectBySession, to_hex(asker->credential.hash));
  if (!row) {
    return fail(ErrorCode::unauthenticated, "The API key or session is not valid any more.");
  }
  if (asker->must_be_admin && row->get<std::string>(1) != "admin") {
    return fail(ErrorCode::forbidden, "This takes an administrator.");
  }
  Actor actor;
  actor.name = row->get<std::string>(0);
  (is_key ? actor.key_id : actor.session_id) = row->get<std::string>(2);
  actor.address = asker->address;
  return actor;
}

Result<Actor> begin_change(sql::Connection& sql, const std::optional<Asker>& asker) {
  if (asker) bump(sql, Generation::auth);  // First, as removals of accounts do.
  auto actor = check(sql, asker);
  if (actor) bump(sql, Generation::mounts);
  return actor;
}

}  // namespace coffer::catalog
