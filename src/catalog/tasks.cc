#include "catalog/tasks.h"

#include <soci/soci.h>

#include <stdexcept>

#include "base/random.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/owed_task_ends.h"
#include "catalog/runs.h"
#include "catalog/task_rows.h"

namespace coffer::catalog {
namespace {

std::unexpected<Error> no_such_task() {
  return fail(ErrorCode::not_found, "There is no such task.");
}

std::vector<TaskRecord> live_ones(soci::session& sql) {
  const soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT " << kTaskColumns << " FROM tasks WHERE " << kIsLive
                   << " ORDER BY id");
  return collect_tasks(rows);
}

}  // namespace

Tasks::Tasks(Database& database)
    : database_(database), owed_(std::make_unique<OwedTaskEnds>(database, finish_task)) {}

Tasks::~Tasks() = default;

TaskId Tasks::new_id() {
  return {random_hex(16)};
}

// Never lost in a power failure: an item without a note stays for good.
Task<Result<void>> Tasks::note(TaskId id, NewTask task) {
  auto job = [&](soci::session& sql) { return upsert_task(sql, id, task); };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<bool>> Tasks::report(TaskId id, Progress progress) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    auto updated = update_task(sql, id, progress);
    if (!updated) return failure_of(std::move(updated));
    int is_wanted = 0;
    sql << "SELECT stop_wanted FROM tasks WHERE id = :id", soci::use(id.value, "id"),
        soci::into(is_wanted);
    return is_wanted != 0;
  };
  co_return co_await database_.run(Lane::ordered, std::move(job));
}

Task<Result<void>> Tasks::stop(AccountId account, TaskId id) {
  const long long account_id = account.value;
  auto job = [&](soci::session& sql) -> Result<void> {
    soci::row row;
    sql << "SELECT " << kTaskColumns
        << " FROM tasks WHERE id = :id AND account_id = :account AND is_forgotten = 0",
        soci::use(id.value, "id"), soci::use(account_id, "account"), soci::into(row);
    if (!sql.got_data()) return no_such_task();
    soci::statement statement =
        (sql.prepare << "UPDATE tasks SET stop_wanted = 1 WHERE id = :id AND " << kIsLive,
         soci::use(id.value, "id"));
    statement.execute(true);
    if (statement.get_affected_rows() > 0) return {};
    return fail(ErrorCode::conflict, "The task has ended already.");
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<void>> Tasks::end(TaskId id, TaskEnd end) {
  const bool is_end = end.state != TaskState::running && end.state != TaskState::waiting;
  if (!is_end) throw std::logic_error("A task cannot end and run.");
  auto job = [&](soci::session& sql) { return finish_task(sql, id, end); };
  auto ended = co_await database_.run(Lane::write, std::move(job));
  if (ended || ended.error().code == ErrorCode::not_found) co_return ended;
  owed_->add(std::move(id), std::move(end));
  co_return Result<void>{};
}

Task<Result<TaskRecord>> Tasks::find(AccountId account, TaskId id) {
  const long long account_id = account.value;
  auto job = [&](soci::session& sql) -> Result<TaskRecord> {
    soci::row row;
    sql << "SELECT " << kTaskColumns
        << " FROM tasks WHERE id = :id AND account_id = :account AND is_forgotten = 0",
        soci::use(id.value, "id"), soci::use(account_id, "account"), soci::into(row);
    if (!sql.got_data()) return no_such_task();
    return task_from(row);
  };
  co_return co_await database_.run(Lane::read, std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::list(AccountId account) {
  const long long account_id = account.value;
  auto job = [&](soci::session& sql) -> Result<std::vector<TaskRecord>> {
    const soci::rowset<soci::row> rows =
        (sql.prepare << "SELECT " << kTaskColumns
                     << " FROM tasks WHERE account_id = :account AND is_forgotten = 0 "
                        "ORDER BY created_at DESC, id DESC LIMIT "
                     << kLongestList,
         soci::use(account_id, "account"));
    return collect_tasks(rows);
  };
  co_return co_await database_.run(Lane::read, std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::interrupt_running() {
  auto job = [](soci::session& sql) -> Result<std::vector<TaskRecord>> {
    const long long updated_at = to_column(now());
    auto tasks = live_ones(sql);
    for (TaskRecord& task : tasks) task.state = TaskState::interrupted;
    sql << "UPDATE tasks SET state = 'interrupted', updated_at = :updated_at WHERE " << kIsLive,
        soci::use(updated_at, "updated_at");
    return tasks;
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::orphans(std::optional<AccountId> account) {
  const long long account_id = account.value_or(AccountId()).value;
  const int of_all = account ? 0 : 1;
  auto job = [&](soci::session& sql) -> Result<std::vector<TaskRecord>> {
    const soci::rowset<soci::row> rows =
        (sql.prepare
             << "SELECT " << kTaskColumns << " FROM tasks WHERE NOT (" << kIsLive
             << ") AND left_over <> '' AND (:of_all = 1 OR account_id = :account) ORDER BY id",
         soci::use(of_all, "of_all"), soci::use(account_id, "account"));
    return collect_tasks(rows);
  };
  co_return co_await database_.run(Lane::read, std::move(job));
}

Task<Result<void>> Tasks::clear_orphan(TaskId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    soci::statement statement = (sql.prepare << "UPDATE tasks SET left_over = '' WHERE id = :id",
                                 soci::use(id.value, "id"));
    statement.execute(true);
    if (statement.get_affected_rows() == 0) return no_such_task();
    return {};
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<void>> Tasks::drop(TaskId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    sql << "DELETE FROM tasks WHERE id = :id AND left_over = '' AND NOT (" << kIsLive << ")",
        soci::use(id.value, "id");
    sql << "UPDATE tasks SET is_forgotten = 1 WHERE id = :id AND NOT (" << kIsLive << ")",
        soci::use(id.value, "id");
    return {};
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<std::set<std::string>>> Tasks::of_ended_runs(std::set<std::string> partial_tags) {
  auto job = [&](soci::session& sql) -> Result<std::set<std::string>> {
    std::set<std::string> ended;
    for (const std::string& tag : partial_tags) {
      if (has_ended(sql, tag)) ended.insert(tag);
    }
    return ended;
  };
  co_return co_await database_.run(Lane::read, std::move(job));
}

Task<Result<void>> Tasks::forget_older_than(Timestamp time) {
  auto job = [time](soci::session& sql) -> Result<void> {
    const long long limit = to_column(time);
    sql << "DELETE FROM tasks WHERE updated_at < :limit AND NOT (" << kIsLive << ")",
        soci::use(limit, "limit");
    return {};
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

}  // namespace coffer::catalog
