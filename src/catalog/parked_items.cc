#include "catalog/parked_items.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <utility>

#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/row_limits.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kColumns =
    "id, account_id, path, parked_name, leads_to, copy_path, copy_leads_to, copied, is_leaving, "
    "boot";

ParkedItem parked_from(const soci::row& row) {
  ParkedItem item;
  item.id = row.get<std::string>(0);
  item.account = AccountId{row.get<long long>(1)};
  item.path = row.get<std::string>(2);
  item.parked_name = row.get<std::string>(3);
  item.leads_to = row.get<std::string>(4);
  item.copy_path = row.get<std::string>(5);
  item.copy_leads_to = row.get<std::string>(6);
  item.copied = row.get<std::string>(7);
  item.is_leaving = row.get<long long>(8) != 0;
  item.boot = row.get<std::string>(9);
  return item;
}

}  // namespace

Task<Result<void>> ParkedItems::add(ParkedItem item) {
  auto job = [&](soci::session& sql) -> Result<void> {
    auto fits = check_rows(sql, "parked_items WHERE account_id = :account", item.account,
                           kMostParkedItems, "moves that were cut off");
    if (!fits) {
      fits.error().message =
          "Too many moves of this account were cut off, and wait until their servers answer.";
      return fits;
    }
    sql << "INSERT INTO parked_items (id, account_id, path, parked_name, leads_to, copy_path, "
           "copy_leads_to, copied, boot) VALUES (:id, :account, :path, :parked_name, :leads_to, "
           ":copy_path, :copy_leads_to, :copied, :boot)",
        soci::use(item.id, "id"), soci::use(item.account.value, "account"),
        soci::use(item.path, "path"), soci::use(item.parked_name, "parked_name"),
        soci::use(item.leads_to, "leads_to"), soci::use(item.copy_path, "copy_path"),
        soci::use(item.copy_leads_to, "copy_leads_to"), soci::use(item.copied, "copied"),
        soci::use(item.boot, "boot");
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::of_change(item.account), std::move(job));
}

Task<Result<void>> ParkedItems::leave(std::string id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    sql << "UPDATE parked_items SET is_leaving = 1 WHERE id = :id", soci::use(id, "id");
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> ParkedItems::drop(std::string id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    sql << "DELETE FROM parked_items WHERE id = :id", soci::use(id, "id");
    return {};
  };
  co_return co_await database_.run(Lane::ordered, Turn::server(), std::move(job));
}

Task<Result<std::optional<ParkedItem>>> ParkedItems::find(std::string id) {
  auto job = [&](soci::session& sql) -> Result<std::optional<ParkedItem>> {
    const auto found = select_all(
        (sql.prepare << fmt::format("SELECT {} FROM parked_items WHERE id = :id", kColumns),
         soci::use(id, "id")),
        parked_from);
    return found.empty() ? std::nullopt : std::optional(found.front());
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::vector<ParkedItem>>> ParkedItems::all() {
  auto job = [](soci::session& sql) -> Result<std::vector<ParkedItem>> {
    return select_all(
        (sql.prepare << fmt::format("SELECT {} FROM parked_items ORDER BY id", kColumns)),
        parked_from);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
