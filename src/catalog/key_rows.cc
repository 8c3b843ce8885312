#include "catalog/key_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/row_limits.h"
#include "catalog/scope_changes.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

void insert_key(sql::Connection& sql, const Key& key, const SecretHash& hash) {
  sql.run(
      "INSERT INTO api_keys (id, account_id, name, preview, scope, hash, created_at, read_only, "
      "expires_at, is_link, makers) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
      key.id, key.account, key.name, key.preview, key.folder, to_hex(hash), key.created_at,
      key.read_only, key.expires_at, key.kind, key.makers);
}

struct Maker {
  std::vector<KeyId> makers;  ///< The key and its own makers.
  std::optional<Timestamp> expires_at;
};

/// Returns the asker's key, if the asker used a key.
std::optional<Maker> maker_of(sql::Connection& sql, const std::optional<Asker>& asker) {
  if (!asker || asker->credential.kind != Credential::Kind::key) return std::nullopt;
  auto key = sql::select_first<Key>(
      sql, "SELECT " + sql::columns<Key>("k.") + " FROM api_keys k WHERE k.hash = $1",
      to_hex(asker->credential.hash));
  if (!key) return std::nullopt;
  Maker maker{std::move(key->makers), key->expires_at};
  if (maker.makers.size() < kMostMakers) maker.makers.insert(maker.makers.begin(), key->id);
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

Result<void> check_count(sql::Connection& sql, AccountId account, KeyKind kind, std::size_t most) {
  constexpr std::array<std::string_view, 3> kToDo{"API keys: revoke some", "links: end some",
                                                  "shares with others: end some"};
  const auto number = static_cast<std::size_t>(kind);
  return check_rows(sql, fmt::format("api_keys WHERE account_id = $1 AND is_link = {}", number),
                    account, most, kToDo.at(number));
}

Result<AddedKey> add_key(sql::Connection& sql, const NewKey& key, KeyKind kind) {
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
  made.kind = kind;
  if (auto maker = maker_of(sql, key.asker)) note_maker(made, *std::move(maker));
  std::string owner = name_of(sql, key.account);
  if (owner.empty()) return no_such_account();
  insert_key(sql, made, key.hash);
  return AddedKey{std::move(made), std::move(owner)};
}

}  // namespace coffer::catalog

namespace coffer::sql {

constexpr char kBetweenMakers = ' ';

Value Codec<std::vector<KeyId>>::to(const std::vector<KeyId>& makers) {
  if (makers.empty()) return {};
  const auto ids = makers | std::views::transform(&KeyId::value);
  return fmt::format("{}", fmt::join(ids, std::string_view(&kBetweenMakers, 1)));
}

std::vector<KeyId> Codec<std::vector<KeyId>>::from(const Value& value) {
  std::vector<KeyId> makers;
  const auto text = Codec<std::optional<std::string>>::from(value);
  if (!text) return makers;
  for (const auto part : *text | std::views::split(kBetweenMakers)) {
    makers.push_back(KeyId{std::string(part.begin(), part.end())});
  }
  return makers;
}

}  // namespace coffer::sql
