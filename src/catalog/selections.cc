#include "catalog/selections.h"

#include <string_view>
#include <tuple>
#include <utility>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/database.h"
#include "catalog/selection_rows.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

/// A part is read at once.
constexpr std::size_t kPartItems = 1'000;
constexpr std::size_t kPartBytes = 64 * 1024;

struct SelectionRow {
  SelectionId id;
  AccountId account;
  std::optional<TaskId> task = {};  ///< Nullopt for a selection that waits.
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  Timestamp touched_at{};
};

}  // namespace
}  // namespace coffer::catalog

namespace coffer::sql {

template <>
struct Table<catalog::SelectionRow> {
  static constexpr std::string_view kName = "selections";
  static constexpr auto kColumns =
      std::tuple{Column{"id", &catalog::SelectionRow::id},
                 Column{"account_id", &catalog::SelectionRow::account},
                 Column{"task_id", &catalog::SelectionRow::task},
                 Column{"item_count", &catalog::SelectionRow::count},
                 Column{"size_bytes", &catalog::SelectionRow::bytes},
                 Column{"touched_at", &catalog::SelectionRow::touched_at}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

std::unexpected<Error> no_such_selection() {
  return fail(ErrorCode::not_found, "There is no such selection, or it has expired.");
}

Result<SelectionRow> select_waiting(sql::Connection& sql, AccountId account,
                                    const SelectionId& id) {
  static const std::string kText = "SELECT " + sql::columns<SelectionRow>() +
                                   " FROM selections WHERE id = $1 AND account_id = $2 AND "
                                   "task_id IS NULL";
  auto row = sql::select_first<SelectionRow>(sql, kText, id, account);
  if (!row) return no_such_selection();
  return *std::move(row);
}

/// Returns the selection `to`, or a new one, which is not stored yet.
Result<SelectionRow> select_or_make(sql::Connection& sql, AccountId account,
                                    const std::optional<SelectionId>& to) {
  if (to) {
    auto row = select_waiting(sql, account, *to);
    if (row) return row;  // So the account is there.
  }
  if (name_of(sql, account).empty()) return no_such_account();
  if (to) return no_such_selection();
  return SelectionRow{SelectionId{random_hex(16)}, account};
}

/// Stores what changes of a selection while items are added.
void set_items(sql::Connection& sql, const SelectionRow& row) {
  sql.run("UPDATE selections SET item_count = $1, size_bytes = $2, touched_at = $3 WHERE id = $4",
          row.count, row.bytes, row.touched_at, row.id);
}

/// Deletes the oldest of the account that wait. The newest always stays.
void drop_waiting(sql::Connection& sql, AccountId account) {
  static const std::string kText = "SELECT " + sql::columns<SelectionRow>() +
                                   " FROM selections WHERE account_id = $1 AND task_id IS NULL "
                                   "ORDER BY touched_at DESC, id";
  const auto all = sql::select<SelectionRow>(sql, kText, account);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bytes += all[i].bytes;
    const bool fits = i < Selections::kMostWaiting && bytes <= Selections::kMostWaitingBytes;
    if (i > 0 && !fits) sql.run("DELETE FROM selections WHERE id = $1", all[i].id);
  }
}

void insert_part(sql::Connection& sql, const SelectionId& id, const std::string& items) {
  sql.run(
      "INSERT INTO selection_parts (selection_id, number, items) SELECT id, "
      "(SELECT count(*) FROM selection_parts p WHERE p.selection_id = selections.id), $1 "
      "FROM selections WHERE id = $2",
      items, id);
}

std::vector<std::string> items_of(std::string_view part) {
  std::vector<std::string> items;
  std::string folder;
  for (bool is_first = true; !part.empty(); is_first = false) {
    const std::size_t end = part.find('\n');
    const std::string_view line = part.substr(0, end);
    part.remove_prefix(end + 1);
    if (!is_first) {
      items.push_back(folder + std::string(line));
    } else if (!line.empty()) {
      folder = std::string(line) + '/';
    }
  }
  return items;
}

std::uint64_t bytes_of_tasks(sql::Connection& sql, AccountId account) {
  return sql.only<std::uint64_t>(
      "SELECT CAST(coalesce(sum(size_bytes), 0) AS BIGINT) FROM selections "
      "WHERE account_id = $1 AND task_id IS NOT NULL",
      account);
}

}  // namespace

// Paths have no control characters.
std::uint64_t insert_parts(sql::Connection& sql, const SelectionId& id, const std::string& folder,
                           const std::vector<std::string>& items) {
  std::uint64_t bytes = 0;
  std::string part = folder + '\n';
  std::size_t count = 0;
  for (const std::string& item : items) {
    if (count == kPartItems || (count > 0 && part.size() + item.size() > kPartBytes)) {
      bytes += part.size();
      insert_part(sql, id, part);
      part = folder + '\n';
      count = 0;
    }
    part += item + '\n';
    ++count;
  }
  if (count > 0) insert_part(sql, id, part);
  return bytes + part.size();
}

Result<std::uint64_t> give_to_task(sql::Connection& sql, AccountId account, const SelectionId& id,
                                   const TaskId& task) {
  TRY(const SelectionRow row, select_waiting(sql, account, id));
  sql.run("UPDATE selections SET task_id = $1 WHERE id = $2", task, id);
  return row.count;
}

void insert_for_task(sql::Connection& sql, AccountId account, const TaskId& task,
                     const std::vector<std::string>& items) {
  SelectionRow row{SelectionId{task.value}, account, task};
  row.touched_at = now();
  sql::run_insert(sql, row);
  row.count = items.size();
  row.bytes = insert_parts(sql, row.id, {}, items);
  set_items(sql, row);
}

bool pass_to_task(sql::Connection& sql, const TaskId& from, const TaskId& to) {
  return sql.change("UPDATE selections SET task_id = $1 WHERE task_id = $2", to, from) > 0;
}

void drop_items_of(sql::Connection& sql, const TaskId& task) {
  sql.run("DELETE FROM selections WHERE task_id = $1", task);
}

Result<void> check_items_of_tasks(sql::Connection& sql, AccountId account) {
  if (bytes_of_tasks(sql, account) <= Selections::kMostTaskItemBytes) return {};
  sql.run(
      "DELETE FROM selections WHERE account_id = $1 AND task_id IN (SELECT id FROM tasks "
      "WHERE account_id = $1 AND state NOT IN ('running', 'waiting'))",
      account);
  if (bytes_of_tasks(sql, account) <= Selections::kMostTaskItemBytes) return {};
  return fail(ErrorCode::rate_limited,
              "The account's tasks have too many items together: wait for some, or stop them.");
}

Task<Result<Selection>> Selections::add(AccountId account, std::optional<SelectionId> to,
                                        std::string folder, std::vector<std::string> items) {
  auto job = [&](sql::Connection& sql) -> Result<Selection> {
    TRY(SelectionRow row, select_or_make(sql, account, to));
    row.touched_at = now();
    if (!to) sql::run_insert(sql, row);
    row.count += items.size();
    if (row.count > kMostItems) {
      return fail(ErrorCode::invalid, "A selection may have 100,000 items at most.");
    }
    row.bytes += insert_parts(sql, row.id, folder, items);
    if (row.bytes > kMostSelectionBytes) {
      return fail(ErrorCode::invalid, "The paths of a selection may have 32 MB together.");
    }
    set_items(sql, row);
    drop_waiting(sql, account);
    return Selection{row.id, row.count, row.touched_at + kKept, row.touched_at};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<std::vector<std::string>>> Selections::part(AccountId account, SelectionId id,
                                                        std::uint64_t number) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<std::string>> {
    const auto items = sql.value<std::string>(
        "SELECT p.items FROM selection_parts p JOIN selections s ON s.id = p.selection_id "
        "WHERE s.id = $1 AND s.account_id = $2 AND p.number = $3",
        id, account, number);
    return items ? items_of(*items) : std::vector<std::string>();
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<Selection>> Selections::of_task(AccountId account, TaskId task) {
  auto job = [&](sql::Connection& sql) -> Result<Selection> {
    static const std::string kText = "SELECT " + sql::columns<SelectionRow>() +
                                     " FROM selections WHERE task_id = $1 AND account_id = $2";
    const auto row = sql::select_first<SelectionRow>(sql, kText, task, account);
    if (!row) return no_such_selection();
    return Selection{.id = row->id, .count = row->count, .chosen_at = row->touched_at};
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<void>> Selections::forget_unused(Timestamp time) {
  auto job = [time](sql::Connection& sql) -> Result<void> {
    sql.run("DELETE FROM selections WHERE task_id IS NULL AND touched_at < $1", time);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
