#include "catalog/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/cached_rows.h"
#include "catalog/credential.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/key_rows.h"
#include "catalog/last_uses.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

using GrantPtr = std::shared_ptr<const Grant>;

constexpr const char* kNoteUse =
    "UPDATE api_keys SET last_used_at = $1 WHERE id = $2 "
    "AND (last_used_at IS NULL OR last_used_at < $1)";

std::unexpected<Error> no_such_key() {
  return fail(ErrorCode::not_found, "There is no such key.");
}

bool is_within(const Key& key, const std::optional<Path>& within) {
  return !within || (key.folder && key.folder->is_within(*within));
}

std::vector<Key> select(sql::Connection& sql, AccountId account,
                        const std::optional<Path>& within) {
  auto keys = sql::select<Key>(sql,
                               "SELECT " + sql::columns<Key>("k.") +
                                   " FROM api_keys k WHERE k.account_id = $1 AND k.is_link = 0 "
                                   "ORDER BY k.created_at, k.id",
                               account);
  std::erase_if(keys, [&](const Key& key) { return !is_within(key, within); });
  return keys;
}

std::string details_of(const Key& key) {
  return fmt::format("id={}, name={}{}{}", key.id.value, key.name,
                     key.folder ? ", folder=" + key.folder->str() : "",
                     key.read_only ? ", read" : "");
}

/// Returns the account's key if it is `within`.
std::optional<Key> select_key(sql::Connection& sql, AccountId account, const KeyId& id,
                              const std::optional<Path>& within) {
  auto key = sql::select_first<Key>(
      sql,
      "SELECT " + sql::columns<Key>("k.") + " FROM api_keys k WHERE k.id = $1 AND k.is_link = 0",
      id);
  if (!key || key->account != account || !is_within(*key, within)) return std::nullopt;
  return key;
}

bool is_id(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 32 && std::ranges::all_of(text, is_digit);
}

/// Deletes the keys, links and shares that were made with a key, which may be revoked already, or
/// with those keys, in one statement. Returns their number.
std::int64_t erase_made(sql::Connection& sql, AccountId account, const KeyId& id) {
  if (!is_id(id.value)) return 0;
  return sql.change(
      "DELETE FROM api_keys WHERE account_id = $1 AND makers IS NOT NULL "
      "AND replace(makers, CAST($2 AS TEXT), '') <> makers",
      account, id);
}

Result<void> erase(sql::Connection& sql, AccountId account, const KeyId& id,
                   const std::optional<Path>& within, const std::optional<Asker>& asker,
                   Made made) {
  bump(sql, Generation::auth);
  TRY(const auto actor, check(sql, asker));
  const auto key = select_key(sql, account, id, within);
  if (!key && within) return no_such_key();
  if (made == Made::ends) bump(sql, Generation::mounts);  // Shares may be among them.
  const std::int64_t others = made == Made::ends ? erase_made(sql, account, id) : 0;
  if (!key && others == 0) return no_such_key();
  if (key) sql.run("DELETE FROM api_keys WHERE id = $1", id);
  std::string details = key ? details_of(*key) : "id=" + id.value;
  if (others > 0) details += fmt::format(", made with it={}", others);
  note(sql, AuditKind::key_revoked, actor, name_of(sql, account), details);
  return {};
}

GrantPtr select_grant(sql::Connection& sql, const SecretHash& hash) {
  static const std::string kText = "SELECT " + sql::columns<Key>("k.") + ", " +
                                   sql::columns<Account>("a.") +
                                   " FROM api_keys k JOIN accounts a ON a.id = k.account_id "
                                   "WHERE k.hash = $1 AND a.disabled = 0";
  const auto row = sql.first(kText, to_hex(hash));
  if (!row) return nullptr;
  return std::make_shared<const Grant>(Grant{sql::read<Key>(*row),
                                             sql::read<Account>(*row, sql::kColumnCount<Key>),
                                             {Credential::Kind::key, hash}});
}

}  // namespace

class Keys::Impl {
 public:
  explicit Impl(Database& used)
      : database(used),
        grants(used, Generation::auth, select_grant),
        uses(used, "keys", kNoteUse) {}

  Database& database;
  CachedRows<SecretHash, Grant, HashOfSecret> grants;
  LastUses uses;
};

Keys::Keys(Database& database) : impl_(std::make_unique<Impl>(database)) {}

Keys::~Keys() = default;

Task<Result<Key>> Keys::create(NewKey key, std::size_t most) {
  auto job = [&](sql::Connection& sql) -> Result<Key> {
    // Serialises this with changes of its folder, revocation of the asking key, and other new keys.
    // No process remembers what is new.
    lock(sql, Generation::auth);
    TRY(const auto actor, check(sql, key.asker));
    TRY_VOID(check_count(sql, key.account, KeyKind::api_key, most));
    TRY(auto made, add_key(sql, key, KeyKind::api_key));
    note(sql, AuditKind::key_created, actor, made.owner, details_of(made.key));
    return std::move(made.key);
  };
  co_return co_await impl_->database.run(Lane::write, key.account, std::move(job));
}

Task<Result<std::vector<Key>>> Keys::list(AccountId account, std::optional<Path> within) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<Key>> {
    return select(sql, account, within);
  };
  co_return co_await impl_->database.run(Lane::read, account, std::move(job));
}

Task<Result<void>> Keys::revoke(AccountId account, KeyId id, std::optional<Path> within,
                                std::optional<Asker> asker, Made made) {
  auto job = [&](sql::Connection& sql) { return erase(sql, account, id, within, asker, made); };
  co_return co_await impl_->database.run(Lane::write, account, std::move(job));
}

GrantPtr Keys::find_now(const SecretHash& hash) {
  return impl_->grants.find_now(hash);
}

Task<Result<GrantPtr>> Keys::find(SecretHash hash) {
  auto job = [&](sql::Connection& sql) -> Result<GrantPtr> {
    auto grant = impl_->grants.find(sql, hash);
    if (!grant) return fail(ErrorCode::unauthenticated, "The API key is not valid.");
    return grant;
  };
  co_return co_await impl_->database.run(Lane::read, Turn::of(hash), std::move(job));
}

Task<Result<void>> Keys::forget_expired(Timestamp time) {
  auto job = [time](sql::Connection& sql) -> Result<void> {
    const auto count =
        sql.only<long long>("SELECT count(*) FROM api_keys WHERE expires_at < $1", time);
    if (count == 0) return {};  // All grants are read anew after a bump.
    bump(sql, Generation::auth);
    bump(sql, Generation::mounts);  // Shares may be among them.
    sql.run("DELETE FROM api_keys WHERE expires_at < $1", time);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

void Keys::note_use(const KeyId& id) {
  impl_->uses.note(id.value, now());
}

Task<Result<void>> Keys::flush_uses() {
  auto work = [this] { return impl_->uses.flush(); };
  co_return co_await impl_->database.on_thread(Lane::ordered, Turn::server(), std::move(work));
}

}  // namespace coffer::catalog
