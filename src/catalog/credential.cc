#include "catalog/credential.h"

#include <soci/soci.h>

#include <string>

#include "base/text.h"

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

}  // namespace coffer::catalog
