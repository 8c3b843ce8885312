#include "catalog/bin.h"

#include <soci/soci.h>

#include <array>
#include <utility>

#include "catalog/account_rows.h"
#include "catalog/columns.h"
#include "catalog/database.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kBinColumns =
    "b.id, b.account_id, b.place, b.path, b.is_folder, b.size_bytes, b.deleted_at, b.state, "
    "b.leads_to";

/// Throws for a word that the catalog never writes.
BinState bin_state_from(const std::string& word) {
  const auto state = enum_from<BinState>(word);
  if (!state) throw soci::soci_error("an item of the bin in no state");
  return *state;
}

BinItem item_from(const soci::row& row) {
  BinItem item;
  item.id.value = row.get<std::string>(0);
  if (row.get_indicator(1) == soci::i_ok) item.account = AccountId{row.get<long long>(1)};
  item.place = row.get<std::string>(2);
  item.path = row.get<std::string>(3);
  item.is_folder = row.get<long long>(4) != 0;
  if (row.get_indicator(5) == soci::i_ok) {
    item.size_bytes = static_cast<std::uint64_t>(row.get<long long>(5));
  }
  item.deleted_at = timestamp_from(row.get<long long>(6));
  item.state = bin_state_from(row.get<std::string>(7));
  item.leads_to = row.get<std::string>(8);
  return item;
}

std::string select(std::string_view condition) {
  return "SELECT " + std::string(kBinColumns) + " FROM bin_items b WHERE " + std::string(condition);
}

std::vector<BinItem> items_of(soci::session& sql, AccountId account, const std::string& condition) {
  const std::string of_account = "b.account_id = :account AND " + condition;
  return select_all((sql.prepare << select(of_account + " ORDER BY b.deleted_at, b.id"),
                     soci::use(account.value, "account")),
                    item_from);
}

}  // namespace

void drop_bin_of(soci::session& sql, const Path& mount) {
  sql << "DELETE FROM bin_items WHERE place = :place", soci::use(mount.str(), "place");
}

Task<Result<void>> Bin::add(BinItem item) {
  auto job = [&](soci::session& sql) -> Result<void> {
    const long long account = item.account.value().value;
    if (name_of(sql, *item.account).empty()) return no_such_account();
    const long long is_folder = item.is_folder ? 1 : 0;
    const long long deleted_at = to_column(item.deleted_at);
    const std::string state(word_of(BinState::open));
    sql << "INSERT INTO bin_items (id, account_id, place, path, is_folder, deleted_at, state, "
           "leads_to) VALUES (:id, :account, :place, :path, :is_folder, :deleted_at, :state, "
           ":leads_to)",
        soci::use(item.id.value, "id"), soci::use(account, "account"),
        soci::use(item.place, "place"), soci::use(item.path, "path"),
        soci::use(is_folder, "is_folder"), soci::use(deleted_at, "deleted_at"),
        soci::use(state, "state"), soci::use(item.leads_to, "leads_to");
    return {};
  };
  co_return co_await database_.run(Lane::write, item.account.value(), std::move(job));
}

Task<Result<void>> Bin::keep(Turn turn, BinItemId id, bool is_folder,
                             std::optional<std::uint64_t> size_bytes) {
  auto job = [&](soci::session& sql) -> Result<void> {
    const long long folder = is_folder ? 1 : 0;
    const long long size = to_column(size_bytes.value_or(0));
    soci::indicator has_size = size_bytes ? soci::i_ok : soci::i_null;
    sql << "UPDATE bin_items SET state = 'kept', is_folder = :folder, size_bytes = :size "
           "WHERE id = :id AND state = 'open'",
        soci::use(folder, "folder"), soci::use(size, has_size, "size"), soci::use(id.value, "id");
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<bool>> Bin::claim(Turn turn, BinItemId id, BinState state) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    const std::string word(word_of(state));
    return changed_rows(
               (sql.prepare
                    << "UPDATE bin_items SET state = :state WHERE id = :id AND state = 'kept'",
                soci::use(word, "state"), soci::use(id.value, "id"))) > 0;
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Bin::release(Turn turn, BinItemId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    sql << "UPDATE bin_items SET state = 'kept' WHERE id = :id", soci::use(id.value, "id");
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Bin::drop(Turn turn, BinItemId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    sql << "DELETE FROM bin_items WHERE id = :id", soci::use(id.value, "id");
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<BinItem>> Bin::find(AccountId account, BinItemId id) {
  auto job = [&](soci::session& sql) -> Result<BinItem> {
    soci::row row;
    sql << select("b.id = :id AND b.account_id = :account AND b.state = 'kept'"),
        soci::use(id.value, "id"), soci::use(account.value, "account"), soci::into(row);
    if (!sql.got_data()) return fail(ErrorCode::not_found, "There is no such item in the bin.");
    return item_from(row);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::list(AccountId account, std::optional<Position> after,
                                             std::size_t most) {
  auto job = [&](soci::session& sql) -> Result<std::vector<BinItem>> {
    const long long at = to_column(after ? after->at : Timestamp::max());
    const std::string id = after ? after->id : std::string();
    const auto limit = static_cast<long long>(most);
    return select_all(
        (sql.prepare << select("b.account_id = :account AND b.state = 'kept' AND "
                               "(b.deleted_at < :before OR (b.deleted_at = :same AND b.id < :id)) "
                               "ORDER BY b.deleted_at DESC, b.id DESC LIMIT :most"),
         soci::use(account.value, "account"), soci::use(at, "before"), soci::use(at, "same"),
         soci::use(id, "id"), soci::use(limit, "most")),
        item_from);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::size_t>> Bin::count(AccountId account, std::size_t most) {
  auto job = [=](soci::session& sql) -> Result<std::size_t> {
    const auto limit = static_cast<long long>(most);
    long long count = 0;
    sql << "SELECT count(*) FROM (SELECT 1 AS one FROM bin_items WHERE account_id = :account "
           "LIMIT :most) AS counted",
        soci::use(account.value, "account"), soci::use(limit, "most"), soci::into(count);
    return static_cast<std::size_t>(count);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::list_own(AccountId account) {
  auto job = [account](soci::session& sql) -> Result<std::vector<BinItem>> {
    return items_of(sql, account, "b.state = 'kept' AND b.place = ''");
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::unfinished() {
  auto job = [](soci::session& sql) -> Result<std::vector<BinItem>> {
    return select_all((sql.prepare << select("b.state <> 'kept' ORDER BY b.deleted_at, b.id")),
                      item_from);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::unfinished(AccountId account) {
  auto job = [account](soci::session& sql) -> Result<std::vector<BinItem>> {
    return items_of(sql, account, "b.state <> 'kept'");
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::optional<BinState>>> Bin::state_of(Turn turn, BinItemId id) {
  auto job = [&](soci::session& sql) -> Result<std::optional<BinState>> {
    soci::row row;
    sql << select("b.id = :id"), soci::use(id.value, "id"), soci::into(row);
    if (!sql.got_data()) return std::nullopt;
    return item_from(row).state;
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::due(Timestamp before) {
  auto job = [before](soci::session& sql) -> Result<std::vector<BinItem>> {
    const long long at = to_column(before);
    return select_all(
        (sql.prepare << select("b.state = 'kept' AND (b.deleted_at < :at OR b.account_id IS NULL) "
                               "ORDER BY b.deleted_at, b.id"),
         soci::use(at, "at")),
        item_from);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
