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
    TRY_VOID(check_count(sql, wanted.key.account, true, most));
    TRY(auto made, add_key(sql, wanted.key, true));
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
    if (!link || link->key.account != account) return no_such_link();
    sql.run("DELETE FROM api_keys WHERE id = $1", id);
    note(sql, AuditKind::link_ended, actor, name_of(sql, account), details_of(*link));
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
