#include "catalog/key_rows.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <algorithm>
#include <ranges>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/columns.h"
#include "catalog/row_limits.h"
#include "catalog/scope_changes.h"

namespace coffer::catalog {
namespace {

constexpr char kBetweenMakers = ' ';

std::string text_of(const std::vector<KeyId>& makers) {
  const auto ids = makers | std::views::transform(&KeyId::value);
  return fmt::format("{}", fmt::join(ids, std::string_view(&kBetweenMakers, 1)));
}

std::vector<KeyId> makers_from(const std::string& text) {
  std::vector<KeyId> makers;
  for (const auto part : text | std::views::split(kBetweenMakers)) {
    makers.push_back(KeyId{std::string(part.begin(), part.end())});
  }
  return makers;
}

Result<void> insert_key(soci::session& sql, const Key& key, const SecretHash& hash) {
  const long long created_at = to_column(key.created_at);
  const std::string hash_text = to_hex(hash);
  const std::string scope = key.folder ? key.folder->str() : std::string();
  soci::indicator has_scope = key.folder ? soci::i_ok : soci::i_null;
  const long long read_only = key.read_only ? 1 : 0;
  const long long expires_at = key.expires_at ? to_column(*key.expires_at) : 0;
  soci::indicator has_end = key.expires_at ? soci::i_ok : soci::i_null;
  const long long is_link = key.is_link ? 1 : 0;
  const std::string makers = text_of(key.makers);
  soci::indicator has_maker = key.makers.empty() ? soci::i_null : soci::i_ok;
  const auto changed = changed_rows((
      sql.prepare
          << "INSERT INTO api_keys (id, account_id, name, preview, scope, hash, created_at, "
             "read_only, expires_at, is_link, makers) SELECT :id, id, :name, :preview, :scope, "
             ":hash, "
             "CAST(:created_at AS BIGINT), CAST(:read_only AS BIGINT), "
             "CAST(:expires_at AS BIGINT), CAST(:is_link AS BIGINT), "
             "CAST(:makers AS TEXT) FROM accounts "
             "WHERE id = :account",
      soci::use(key.id.value, "id"), soci::use(key.name, "name"), soci::use(key.preview, "preview"),
      soci::use(scope, has_scope, "scope"), soci::use(hash_text, "hash"),
      soci::use(created_at, "created_at"), soci::use(read_only, "read_only"),
      soci::use(expires_at, has_end, "expires_at"), soci::use(is_link, "is_link"),
      soci::use(makers, has_maker, "makers"), soci::use(key.account.value, "account")));
  if (changed == 0) return no_such_account();
  return {};
}

struct Maker {
  std::vector<KeyId> makers;  ///< The key and its own makers.
  std::optional<Timestamp> expires_at;
};

/// Returns the asker's key, if the asker used a key.
std::optional<Maker> maker_of(soci::session& sql, const std::optional<Asker>& asker) {
  if (!asker || asker->credential.kind != Credential::Kind::key) return std::nullopt;
  const std::string hash = to_hex(asker->credential.hash);
  soci::row row;
  sql << "SELECT " << kKeyColumns << " FROM api_keys k WHERE k.hash = :hash",
      soci::use(hash, "hash"), soci::into(row);
  if (!sql.got_data()) return std::nullopt;
  Key key = key_from(row);
  Maker maker{std::move(key.makers), key.expires_at};
  if (maker.makers.size() < kMostMakers) maker.makers.insert(maker.makers.begin(), key.id);
  return maker;
}

/// Makes a key end no later than the key that it was made with.
void note_maker(Key& made, Maker maker) {
  made.makers = std::move(maker.makers);
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
  if (row.get_indicator(11) != soci::i_null) key.makers = makers_from(row.get<std::string>(11));
  return key;
}

Result<void> check_count(soci::session& sql, AccountId account, bool is_link, std::size_t most) {
  if (is_link) {
    return check_rows(sql, "api_keys WHERE account_id = :account AND is_link = 1", account, most,
                      "links: end some");
  }
  return check_rows(sql, "api_keys WHERE account_id = :account AND is_link = 0", account, most,
                    "API keys: revoke some");
}

Result<Key> add_key(soci::session& sql, const NewKey& key, bool is_link) {
  if (key.folder && is_in_change(sql, key.account, *key.folder)) {
    return fail(ErrorCode::conflict, "The item is being renamed, moved or deleted; try again.");
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
  TRY_VOID(insert_key(sql, made, key.hash));
  return made;
}

}  // namespace coffer::catalog
