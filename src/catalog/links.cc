#include "catalog/links.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <utility>

#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/key_rows.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kLinkColumns =
    "l.mode, l.is_folder, l.sealed_token, l.password_hash, l.most_downloads, l.downloads";

std::unexpected<Error> no_such_link() {
  return fail(ErrorCode::not_found, "There is no such link.");
}

/// Throws for a word that the catalog never writes.
LinkMode mode_from(const std::string& word) {
  const auto mode = enum_from<LinkMode>(word);
  if (!mode) throw soci::soci_error("a link of no mode");
  return *mode;
}

Link link_from(const soci::row& row) {
  constexpr std::size_t kFirst = kKeyColumnCount;
  Link link;
  link.key = key_from(row);
  link.mode = mode_from(row.get<std::string>(kFirst));
  link.is_folder = row.get<long long>(kFirst + 1) != 0;
  link.sealed_token = row.get<std::string>(kFirst + 2);
  link.password_hash = row.get<std::string>(kFirst + 3);
  if (row.get_indicator(kFirst + 4) == soci::i_ok) {
    link.most_downloads = static_cast<std::uint64_t>(row.get<long long>(kFirst + 4));
  }
  link.downloads = static_cast<std::uint64_t>(row.get<long long>(kFirst + 5));
  return link;
}

std::optional<Link> select_link(soci::session& sql, const KeyId& id) {
  soci::row row;
  sql << "SELECT " << kKeyColumns << ", " << kLinkColumns
      << " FROM api_keys k JOIN links l ON l.id = k.id WHERE k.id = :id",
      soci::use(id.value, "id"), soci::into(row);
  return sql.got_data() ? std::optional(link_from(row)) : std::nullopt;
}

std::vector<Link> select_links(soci::session& sql, AccountId account) {
  return select_all((sql.prepare << "SELECT " << kKeyColumns << ", " << kLinkColumns
                                 << " FROM api_keys k JOIN links l ON l.id = k.id "
                                    "WHERE k.account_id = :account ORDER BY k.created_at, k.id",
                     soci::use(account.value, "account")),
                    link_from);
}

void insert_link(soci::session& sql, const Link& link) {
  const std::string mode(word_of(link.mode));
  const long long is_folder = link.is_folder ? 1 : 0;
  const long long most = to_column(link.most_downloads.value_or(0));
  soci::indicator has_most = link.most_downloads ? soci::i_ok : soci::i_null;
  sql << "INSERT INTO links (id, mode, is_folder, sealed_token, password_hash, most_downloads) "
         "VALUES (:id, :mode, :is_folder, :token, :password, :most)",
      soci::use(link.key.id.value, "id"), soci::use(mode, "mode"),
      soci::use(is_folder, "is_folder"), soci::use(link.sealed_token, "token"),
      soci::use(link.password_hash, "password"), soci::use(most, has_most, "most");
}

std::string details_of(const Link& link) {
  std::string text = "path=" + link.key.folder->str();
  text += ", " + std::string(word_of(link.mode));
  if (!link.password_hash.empty()) text += ", password";
  if (link.most_downloads) text += fmt::format(", downloads={}", *link.most_downloads);
  return text;
}

}  // namespace

Task<Result<Link>> Links::create(NewLink wanted, std::size_t most) {
  auto job = [&](soci::session& sql) -> Result<Link> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, wanted.key.asker));
    TRY_VOID(check_count(sql, wanted.key.account, true, most));
    TRY(auto key, add_key(sql, wanted.key, true));
    Link link;
    link.key = std::move(key);
    link.mode = wanted.mode;
    link.is_folder = wanted.is_folder;
    link.sealed_token = wanted.sealed_token;
    link.password_hash = wanted.password_hash;
    link.most_downloads = wanted.most_downloads;
    insert_link(sql, link);
    note(sql, AuditKind::link_created, actor, name_of(sql, link.key.account), details_of(link));
    return link;
  };
  co_return co_await database_.run(Lane::write, wanted.key.account, std::move(job));
}

Task<Result<std::vector<Link>>> Links::list(AccountId account) {
  auto job = [account](soci::session& sql) -> Result<std::vector<Link>> {
    return select_links(sql, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<Link>> Links::get(Turn turn, KeyId id) {
  auto job = [&](soci::session& sql) -> Result<Link> {
    auto link = select_link(sql, id);
    if (!link) return no_such_link();
    return *std::move(link);
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<void>> Links::end(AccountId account, KeyId id, std::optional<Asker> asker) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto link = select_link(sql, id);
    if (!link || link->key.account != account) return no_such_link();
    sql << "DELETE FROM api_keys WHERE id = :id", soci::use(id.value, "id");
    note(sql, AuditKind::link_ended, actor, name_of(sql, account), details_of(*link));
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<bool>> Links::count_download(Turn turn, KeyId id) {
  auto job = [&](soci::session& sql) -> Result<bool> { return catalog::count_download(sql, id); };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<bool>> Links::charge(Turn turn, LinkCharge charge) {
  auto job = [&](soci::session& sql) -> Result<bool> { return charge_download(sql, charge); };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<void>> Links::drop_visits(Timestamp before) {
  auto job = [before](soci::session& sql) -> Result<void> {
    catalog::drop_visits(sql, before);
    return {};
  };
  co_return co_await database_.run(Lane::ordered, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
