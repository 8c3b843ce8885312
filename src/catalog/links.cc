#include "catalog/links.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/key_rows.h"
#include "catalog/mount_paths.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::sql {

/// For `columns` and `read` only: the primary key is missing, since it is the id of `Link::key`.
template <>
struct Table<catalog::Link> {
  static constexpr std::string_view kName = "links";
  static constexpr auto kColumns = std::tuple{
      Column{"mode", &catalog::Link::mode},
      Column{"is_folder", &catalog::Link::is_folder},
      Column{"sealed_token", &catalog::Link::sealed_token},
      Column{"password_hash", &catalog::Link::password_hash},
      Column{"most_downloads", &catalog::Link::most_downloads},
      Column{"downloads", &catalog::Link::downloads},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

std::unexpected<Error> no_such_link() {
  return fail(ErrorCode::not_found, "There is no such link.");
}

/// Returns a SELECT of links, as `link_from` reads them.
std::string select_where(std::string_view condition) {
  return "SELECT " + sql::columns<Key>("k.") + ", " + sql::columns<Link>("l.") +
         " FROM api_keys k JOIN links l ON l.id = k.id WHERE " + std::string(condition);
}

Link link_from(const sql::Row& row) {
  auto link = sql::read<Link>(row, sql::kColumnCount<Key>);
  link.key = sql::read<Key>(row);
  return link;
}

std::optional<Link> select_link(sql::Connection& sql, const KeyId& id) {
  const auto row = sql.first(select_where("k.id = $1"), id);
  return row ? std::optional(link_from(*row)) : std::nullopt;
}

std::vector<Link> select_links(sql::Connection& sql, AccountId account) {
  std::vector<Link> links;
  const auto text = select_where("k.account_id = $1 ORDER BY k.created_at, k.id");
  for (const sql::Row& row : sql.query(text, account)) links.push_back(link_from(row));
  return links;
}

/// The id of the share that the link is in, whoever gave it; empty if it is in none.
std::string share_of(const Link& link) {
  const std::string_view top = link.key.folder->front();
  return std::string(top.starts_with(kSharePrefix) ? top.substr(kSharePrefix.size()) : "");
}

bool is_shared_by(sql::Connection& sql, AccountId owner, const Link& link) {
  return sql.only<std::int64_t>(
             "SELECT count(*) FROM people_shares p JOIN api_keys k ON k.id = p.id WHERE p.id = $1 "
             "AND k.account_id = $2",
             share_of(link), owner) > 0;
}

/// Who receives which share of the account.
constexpr std::string_view kReceiversOfOwner =
    "(SELECT r.share_id, r.account_id FROM people_share_accounts r JOIN api_keys s ON s.id = "
    "r.share_id WHERE s.account_id = $1 UNION SELECT g.share_id, m.account_id FROM "
    "people_share_groups g JOIN api_keys s ON s.id = g.share_id JOIN group_members m ON m.group_id "
    "= g.group_id WHERE s.account_id = $1 AND NOT EXISTS (SELECT 1 FROM people_share_refusals f "
    "WHERE f.share_id = g.share_id AND f.account_id = m.account_id))";

std::string links_in_shares() {
  return "SELECT " + sql::columns<Key>("k.") + ", " + sql::columns<Link>("l.") +
         ", s.scope, p.is_folder, a.name, a.display_name FROM " + std::string(kReceiversOfOwner) +
         " w JOIN people_shares p ON p.id = w.share_id JOIN api_keys s ON s.id = p.id JOIN "
         "api_keys k ON k.account_id = w.account_id AND substr(k.scope, 1, 38) = '__adm_' || p.id "
         "JOIN links l ON l.id = k.id JOIN accounts a ON a.id = k.account_id WHERE k.account_id <> "
         "$1 AND a.disabled = 0 ORDER BY k.created_at, k.id LIMIT " +
         std::to_string(kMostLinksInShares);
}

LinkInShare link_in_share_from(const sql::Row& row) {
  constexpr std::size_t kNext = sql::kColumnCount<Key> + sql::kColumnCount<Link>;
  LinkInShare found{link_from(row), row.get<std::string>(kNext + 3)};
  if (found.maker.empty()) found.maker = row.get<std::string>(kNext + 2);
  const auto item = row.get<Path>(kNext);
  const Path below = found.link.key.folder->without_front();
  // A shared file is in its location under its name.
  found.link.key.folder = row.get<bool>(kNext + 1) ? item / below : item;
  return found;
}

void insert_link(sql::Connection& sql, const Link& link) {
  sql.run(
      "INSERT INTO links (id, mode, is_folder, sealed_token, password_hash, most_downloads) "
      "VALUES ($1, $2, $3, $4, $5, $6)",
      link.key.id, link.mode, link.is_folder, link.sealed_token, link.password_hash,
      link.most_downloads);
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
  auto job = [&](sql::Connection& sql) -> Result<Link> {
    lock(sql, Generation::auth);  // As a new key does.
    TRY(const auto actor, check(sql, wanted.key.asker));
    TRY_VOID(check_count(sql, wanted.key.account, KeyKind::link, most));
    TRY(auto made, add_key(sql, wanted.key, KeyKind::link));
    Link link;
    link.key = std::move(made.key);
    link.mode = wanted.mode;
    link.is_folder = wanted.is_folder;
    link.sealed_token = wanted.sealed_token;
    link.password_hash = wanted.password_hash;
    link.most_downloads = wanted.most_downloads;
    insert_link(sql, link);
    note(sql, AuditKind::link_created, actor, made.owner, details_of(link));
    return link;
  };
  co_return co_await database_.run(Lane::write, wanted.key.account, std::move(job));
}

Task<Result<std::vector<Link>>> Links::list(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<std::vector<Link>> {
    return select_links(sql, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<LinkInShare>>> Links::list_in_shares_of(AccountId owner) {
  auto job = [owner](sql::Connection& sql) -> Result<std::vector<LinkInShare>> {
    static const std::string kText = links_in_shares();
    std::vector<LinkInShare> links;
    for (const sql::Row& row : sql.query(kText, owner)) links.push_back(link_in_share_from(row));
    return links;
  };
  co_return co_await database_.run(Lane::read, owner, std::move(job));
}

Task<Result<Link>> Links::get(Turn turn, KeyId id) {
  auto job = [&](sql::Connection& sql) -> Result<Link> {
    auto link = select_link(sql, id);
    if (!link) return no_such_link();
    return *std::move(link);
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<void>> Links::end(AccountId account, KeyId id, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto link = select_link(sql, id);
    if (!link) return no_such_link();
    const bool is_own = link->key.account == account;
    if (!is_own && !is_shared_by(sql, account, *link)) return no_such_link();
    sql.run("DELETE FROM api_keys WHERE id = $1", id);
    note(sql, AuditKind::link_ended, actor, name_of(sql, link->key.account), details_of(*link));
    return {};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<bool>> Links::count_download(Turn turn, KeyId id) {
  auto job = [&](sql::Connection& sql) -> Result<bool> { return catalog::count_download(sql, id); };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<bool>> Links::charge(Turn turn, LinkCharge charge) {
  auto job = [&](sql::Connection& sql) -> Result<bool> { return charge_download(sql, charge); };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<void>> Links::drop_visits(Timestamp before) {
  auto job = [before](sql::Connection& sql) -> Result<void> {
    catalog::drop_visits(sql, before);
    return {};
  };
  co_return co_await database_.run(Lane::ordered, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
