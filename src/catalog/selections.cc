#include "catalog/selections.h"

#include <soci/soci.h>

#include <string_view>
#include <utility>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/selection_rows.h"

namespace coffer::catalog {
namespace {

/// A part is read at once.
constexpr std::size_t kPartItems = 1'000;
constexpr std::size_t kPartBytes = 64 * 1024;

struct Row {
  SelectionId id;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

std::unexpected<Error> no_such_selection() {
  return fail(ErrorCode::not_found, "There is no such selection, or it has expired.");
}

Result<Row> select_waiting(soci::session& sql, AccountId account, const SelectionId& id) {
  Row row{id};
  long long count = 0;
  long long bytes = 0;
  sql << "SELECT item_count, size_bytes FROM selections WHERE id = :id AND account_id = :account "
         "AND task_id IS NULL",
      soci::use(id.value, "id"), soci::use(account.value, "account"), soci::into(count),
      soci::into(bytes);
  if (!sql.got_data()) return no_such_selection();
  row.count = static_cast<std::uint64_t>(count);
  row.bytes = static_cast<std::uint64_t>(bytes);
  return row;
}

void insert(soci::session& sql, AccountId account, const SelectionId& id, const TaskId* task,
            Timestamp at) {
  const long long touched_at = to_column(at);
  const std::string task_id = task ? task->value : std::string();
  soci::indicator has_task = task ? soci::i_ok : soci::i_null;
  sql << "INSERT INTO selections (id, account_id, task_id, item_count, size_bytes, touched_at) "
         "VALUES (:id, :account, :task, 0, 0, :touched_at)",
      soci::use(id.value, "id"), soci::use(account.value, "account"),
      soci::use(task_id, has_task, "task"), soci::use(touched_at, "touched_at");
}

void update(soci::session& sql, const Row& row, Timestamp at) {
  const long long count = to_column(row.count);
  const long long bytes = to_column(row.bytes);
  const long long touched_at = to_column(at);
  sql << "UPDATE selections SET item_count = :count, size_bytes = :bytes, touched_at = :at "
         "WHERE id = :id",
      soci::use(count, "count"), soci::use(bytes, "bytes"), soci::use(touched_at, "at"),
      soci::use(row.id.value, "id");
}

void erase(soci::session& sql, const std::string& id) {
  sql << "DELETE FROM selections WHERE id = :id", soci::use(id, "id");
}

/// Deletes the oldest of the account that wait. The newest always stays.
void drop_waiting(soci::session& sql, AccountId account) {
  struct Waiting {
    std::string id;
    std::uint64_t bytes;
  };
  const auto all = select_all(
      (sql.prepare << "SELECT id, size_bytes FROM selections WHERE account_id = :account AND "
                      "task_id IS NULL ORDER BY touched_at DESC, id",
       soci::use(account.value, "account")),
      [](const soci::row& row) {
        return Waiting{row.get<std::string>(0), static_cast<std::uint64_t>(row.get<long long>(1))};
      });
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bytes += all[i].bytes;
    const bool fits = i < Selections::kMostWaiting && bytes <= Selections::kMostWaitingBytes;
    if (i > 0 && !fits) erase(sql, all[i].id);
  }
}

void insert_part(soci::session& sql, const SelectionId& id, const std::string& items) {
  sql << "INSERT INTO selection_parts (selection_id, number, items) SELECT id, "
         "(SELECT count(*) FROM selection_parts p WHERE p.selection_id = selections.id), :items "
         "FROM selections WHERE id = :id",
      soci::use(items, "items"), soci::use(id.value, "id");
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

long long bytes_of_tasks(soci::session& sql, AccountId account) {
  long long bytes = 0;
  sql << "SELECT CAST(coalesce(sum(size_bytes), 0) AS BIGINT) FROM selections "
         "WHERE account_id = :account AND task_id IS NOT NULL",
      soci::use(account.value, "account"), soci::into(bytes);
  return bytes;
}

}  // namespace

// Paths have no control characters.
std::uint64_t insert_parts(soci::session& sql, const SelectionId& id, const std::string& folder,
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

Result<std::uint64_t> give_to_task(soci::session& sql, AccountId account, const SelectionId& id,
                                   const TaskId& task) {
  TRY(const Row row, select_waiting(sql, account, id));
  sql << "UPDATE selections SET task_id = :task WHERE id = :id", soci::use(task.value, "task"),
      soci::use(id.value, "id");
  return row.count;
}

void insert_for_task(soci::session& sql, AccountId account, const TaskId& task,
                     const std::vector<std::string>& items) {
  const SelectionId id{task.value};
  const Timestamp at = now();
  insert(sql, account, id, &task, at);
  const std::uint64_t bytes = insert_parts(sql, id, {}, items);
  update(sql, Row{id, items.size(), bytes}, at);
}

bool pass_to_task(soci::session& sql, const TaskId& from, const TaskId& to) {
  return changed_rows((sql.prepare << "UPDATE selections SET task_id = :to WHERE task_id = :from",
                       soci::use(to.value, "to"), soci::use(from.value, "from"))) > 0;
}

void drop_items_of(soci::session& sql, const TaskId& task) {
  sql << "DELETE FROM selections WHERE task_id = :task", soci::use(task.value, "task");
}

Result<void> check_items_of_tasks(soci::session& sql, AccountId account) {
  constexpr auto kMost = static_cast<long long>(Selections::kMostTaskItemBytes);
  if (bytes_of_tasks(sql, account) <= kMost) return {};
  sql << "DELETE FROM selections WHERE account_id = :account AND task_id IN (SELECT id FROM tasks "
         "WHERE account_id = :account AND state NOT IN ('running', 'waiting'))",
      soci::use(account.value, "account");
  if (bytes_of_tasks(sql, account) <= kMost) return {};
  return fail(ErrorCode::rate_limited,
              "The account's tasks have too many items together: wait for some, or stop them.");
}

Task<Result<Selection>> Selections::add(AccountId account, std::optional<SelectionId> to,
                                        std::string folder, std::vector<std::string> items) {
  auto job = [&](soci::session& sql) -> Result<Selection> {
    if (name_of(sql, account).empty()) return no_such_account();
    const Timestamp at = now();
    Row row{to.value_or(SelectionId{random_hex(16)})};
    if (to) {
      TRY(row, select_waiting(sql, account, *to));
    } else {
      insert(sql, account, row.id, nullptr, at);
    }
    row.count += items.size();
    if (row.count > kMostItems) {
      return fail(ErrorCode::invalid, "A selection may have 100,000 items at most.");
    }
    row.bytes += insert_parts(sql, row.id, folder, items);
    if (row.bytes > kMostSelectionBytes) {
      return fail(ErrorCode::invalid, "The paths of a selection may have 32 MB together.");
    }
    update(sql, row, at);
    drop_waiting(sql, account);
    return Selection{row.id, row.count, at + kKept, at};
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<std::vector<std::string>>> Selections::part(AccountId account, SelectionId id,
                                                        std::uint64_t number) {
  auto job = [&](soci::session& sql) -> Result<std::vector<std::string>> {
    const long long wanted = to_column(number);
    std::string items;
    sql << "SELECT p.items FROM selection_parts p JOIN selections s ON s.id = p.selection_id "
           "WHERE s.id = :id AND s.account_id = :account AND p.number = :number",
        soci::use(id.value, "id"), soci::use(account.value, "account"), soci::use(wanted, "number"),
        soci::into(items);
    if (!sql.got_data()) return std::vector<std::string>();
    return items_of(items);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<Selection>> Selections::of_task(AccountId account, TaskId task) {
  auto job = [&](soci::session& sql) -> Result<Selection> {
    Selection found;
    long long count = 0;
    long long touched_at = 0;
    sql << "SELECT id, item_count, touched_at FROM selections WHERE task_id = :task AND "
           "account_id = :account",
        soci::use(task.value, "task"), soci::use(account.value, "account"),
        soci::into(found.id.value), soci::into(count), soci::into(touched_at);
    if (!sql.got_data()) return no_such_selection();
    found.count = static_cast<std::uint64_t>(count);
    found.chosen_at = timestamp_from(touched_at);
    return found;
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<void>> Selections::forget_unused(Timestamp time) {
  auto job = [time](soci::session& sql) -> Result<void> {
    const long long before = to_column(time);
    sql << "DELETE FROM selections WHERE task_id IS NULL AND touched_at < :before",
        soci::use(before, "before");
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
