#include "catalog/key_rows.h"

#include <soci/soci.h>

#include "base/random.h"
#include "base/text.h"
#include "catalog/rows.h"
#include "catalog/scope_changes.h"

namespace coffer::catalog {
namespace {

Result<void> insert_key(soci::session& sql, const Key& key, const SecretHash& hash) {
  const long long account = key.account.value;
  const long long created_at = to_column(key.created_at);
  const std::string hash_text = to_hex(hash);
  const std::string scope = key.folder ? key.folder->str() : std::string();
  soci::indicator has_scope = key.folder ? soci::i_ok : soci::i_null;
  const long long read_only = key.read_only ? 1 : 0;
  const long long expires_at = key.expires_at ? to_column(*key.expires_at) : 0;
  soci::indicator has_end = key.expires_at ? soci::i_ok : soci::i_null;
  const long long is_link = key.is_link ? 1 : 0;
  soci::statement statement =
      (sql.prepare
           << "INSERT INTO api_keys (id, account_id, name, preview, scope, hash, created_at, "
              "read_only, expires_at, is_link) SELECT :id, id, :name, :preview, :scope, :hash, "
              "CAST(:created_at AS BIGINT), CAST(:read_only AS BIGINT), "
              "CAST(:expires_at AS BIGINT), CAST(:is_link AS BIGINT) FROM accounts "
              "WHERE id = :account",
       soci::use(key.id.value, "id"), soci::use(key.name, "name"),
       soci::use(key.preview, "preview"), soci::use(scope, has_scope, "scope"),
       soci::use(hash_text, "hash"), soci::use(created_at, "created_at"),
       soci::use(read_only, "read_only"), soci::use(expires_at, has_end, "expires_at"),
       soci::use(is_link, "is_link"), soci::use(account, "account"));
  statement.execute(true);
  if (statement.get_affected_rows() == 0) {
    return fail(ErrorCode::not_found, "There is no such account.");
  }
  return {};
}

}  // namespace

Result<Key> add_key(soci::session& sql, const NewKey& key, bool is_link) {
  if (key.folder && bars_keys(sql, key.account, *key.folder)) {
    return fail(ErrorCode::exists, "The item is being renamed, moved or deleted; try again.");
  }
  Key made;
  made.id.value = random_hex(16);
  made.account = key.account;
  made.name = key.name;
  made.preview = key.preview;
  made.folder = key.folder;
  made.created_at = now();
  made.read_only = key.read_only;
  made.expires_at = key.expires_at;
  made.is_link = is_link;
  if (auto inserted = insert_key(sql, made, key.hash); !inserted) return failure_of(inserted);
  return made;
}

}  // namespace coffer::catalog
