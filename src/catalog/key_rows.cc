#include "catalog/key_rows.h"

#include <soci/soci.h>

#include <algorithm>
#include <stdexcept>

#include "base/random.h"
#include "base/text.h"
#include "catalog/columns.h"
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
  const std::string made_by = key.made_by ? key.made_by->value : std::string();
  soci::indicator has_maker = key.made_by ? soci::i_ok : soci::i_null;
  soci::statement statement =
      (sql.prepare
           << "INSERT INTO api_keys (id, account_id, name, preview, scope, hash, created_at, "
              "read_only, expires_at, is_link, made_by) SELECT :id, id, :name, :preview, :scope, "
              ":hash, "
              "CAST(:created_at AS BIGINT), CAST(:read_only AS BIGINT), "
              "CAST(:expires_at AS BIGINT), CAST(:is_link AS BIGINT), "
              "CAST(:made_by AS TEXT) FROM accounts "
              "WHERE id = :account",
       soci::use(key.id.value, "id"), soci::use(key.name, "name"),
       soci::use(key.preview, "preview"), soci::use(scope, has_scope, "scope"),
       soci::use(hash_text, "hash"), soci::use(created_at, "created_at"),
       soci::use(read_only, "read_only"), soci::use(expires_at, has_end, "expires_at"),
       soci::use(is_link, "is_link"), soci::use(made_by, has_maker, "made_by"),
       soci::use(account, "account"));
  statement.execute(true);
  if (statement.get_affected_rows() == 0) {
    return fail(ErrorCode::not_found, "There is no such account.");
  }
  return {};
}

/// A chain is no longer than this, so that it is gone through in few steps: what its last key makes
/// counts as made by that one's maker.
constexpr long long kLongestChain = 16;

struct Maker {
  KeyId id;
  std::optional<Timestamp> expires_at;
};

/// The keys from this one up to the first of its chain, counted no further than needed.
long long chain_above(soci::session& sql, const KeyId& id) {
  long long length = 0;
  sql << "WITH RECURSIVE above (id, made_by, length) AS "
         "(SELECT id, made_by, 1 FROM api_keys WHERE id = :id UNION ALL "
         "SELECT k.id, k.made_by, above.length + 1 FROM api_keys k "
         "JOIN above ON k.id = above.made_by WHERE above.length <= :longest) "
         "SELECT CAST(coalesce(max(length), 0) AS BIGINT) FROM above",
      soci::use(id.value, "id"), soci::use(kLongestChain, "longest"), soci::into(length);
  return length;
}

/// The key that a change is asked for with, if it is one.
std::optional<Maker> maker_of(soci::session& sql, const std::optional<Asker>& asker) {
  if (!asker || asker->credential.kind != Credential::Kind::key) return std::nullopt;
  const std::string hash = to_hex(asker->credential.hash);
  Maker maker;
  long long expires_at = 0;
  soci::indicator has_end = soci::i_null;
  std::string made_by;
  soci::indicator has_maker = soci::i_null;
  sql << "SELECT id, expires_at, made_by FROM api_keys WHERE hash = :hash", soci::use(hash, "hash"),
      soci::into(maker.id.value), soci::into(expires_at, has_end), soci::into(made_by, has_maker);
  if (!sql.got_data()) return std::nullopt;
  if (has_maker == soci::i_ok && chain_above(sql, maker.id) >= kLongestChain) {
    maker.id.value = made_by;
  }
  if (has_end == soci::i_ok) maker.expires_at = timestamp_from(expires_at);
  return maker;
}

/// A key's end is no later than that of the key that made it.
void note_maker(Key& made, Maker maker) {
  made.made_by = std::move(maker.id);
  if (!maker.expires_at) return;
  made.expires_at =
      made.expires_at ? std::min(*made.expires_at, *maker.expires_at) : *maker.expires_at;
}

}  // namespace

Key key_from(const soci::row& row) {
  Key key;
  key.id.value = row.get<std::string>(0);
  key.account.value = row.get<long long>(1);
  key.name = row.get<std::string>(2);
  key.preview = row.get<std::string>(3);
  if (row.get_indicator(4) != soci::i_null) {
    auto folder = Path::parse(row.get<std::string>(4));
    if (!folder) throw std::runtime_error("The catalog holds a scope that is no path.");
    key.folder = std::move(*folder);
  }
  key.created_at = timestamp_from(row.get<long long>(5));
  if (row.get_indicator(6) != soci::i_null)
    key.last_used_at = timestamp_from(row.get<long long>(6));
  if (row.get_indicator(7) != soci::i_null) key.change_id = row.get<std::string>(7);
  key.read_only = row.get<long long>(8) != 0;
  if (row.get_indicator(9) != soci::i_null) key.expires_at = timestamp_from(row.get<long long>(9));
  key.is_link = row.get<long long>(10) != 0;
  if (row.get_indicator(11) != soci::i_null) key.made_by = KeyId{row.get<std::string>(11)};
  return key;
}

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
  if (auto maker = maker_of(sql, key.asker)) note_maker(made, *std::move(maker));
  if (auto inserted = insert_key(sql, made, key.hash); !inserted) return failure_of(inserted);
  return made;
}

}  // namespace coffer::catalog
