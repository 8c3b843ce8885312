#include "catalog/tasks.h"

#include <soci/soci.h>

#include <stdexcept>

#include "base/random.h"
#include "catalog/database.h"
#include "catalog/owed_task_ends.h"
#include "catalog/rows.h"
#include "catalog/runs.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kTaskColumns =
    "id, account_id, kind, from_path, to_path, state, bytes_done, bytes_total, items_done, "
    "items_total, error, left_over, created_at, updated_at";

/// Of tasks that have not ended.
constexpr std::string_view kIsLive = "state IN ('running', 'waiting')";

std::unexpected<Error> no_such_task() {
  return fail(ErrorCode::not_found, "There is no such task.");
}

TaskRecord task_from(const soci::row& row) {
  const auto kind = task_kind_from(row.get<std::string>(2));
  const auto state = task_state_from(row.get<std::string>(5));
  if (!kind || !state) throw std::runtime_error("The catalog holds an unknown kind of task.");
  const auto count = [&](std::size_t column) {
    return static_cast<std::uint64_t>(row.get<long long>(column));
  };
  TaskRecord task;
  task.id.value = row.get<std::string>(0);
  task.account.value = row.get<long long>(1);
  task.kind = *kind;
  task.from = row.get<std::string>(3);
  task.to = row.get<std::string>(4);
  task.state = *state;
  task.bytes_done = count(6);
  task.bytes_total = count(7);
  task.items_done = count(8);
  task.items_total = count(9);
  task.error = row.get<std::string>(10);
  task.orphan = row.get<std::string>(11);
  task.created_at = timestamp_from(row.get<long long>(12));
  task.updated_at = timestamp_from(row.get<long long>(13));
  return task;
}

std::vector<TaskRecord> collect_tasks(const soci::rowset<soci::row>& rows) {
  std::vector<TaskRecord> tasks;
  for (const soci::row& row : rows) tasks.push_back(task_from(row));
  return tasks;
}

Result<void> upsert(soci::session& sql, const TaskId& id, const NewTask& task) {
  const long long account_id = task.account.value;
  const long long created_at = to_column(now());
  const std::string kind(to_string(task.kind));
  const std::string state(to_string(task.state));
  soci::statement statement =
      (sql.prepare << "INSERT INTO tasks (id, account_id, kind, from_path, to_path, state, "
                      "bytes_done, bytes_total, items_done, items_total, error, left_over, "
                      "created_at, updated_at) SELECT :id, id, :kind, :from, :to, :state, "
                      "0, 0, 0, 0, '', :left_over, :created_at, :created_at FROM accounts "
                      "WHERE id = :account ON CONFLICT (id) DO UPDATE SET "
                      "left_over = excluded.left_over, state = CASE WHEN tasks.state = 'waiting' "
                      "THEN excluded.state ELSE tasks.state END, updated_at = excluded.updated_at",
       soci::use(id.value, "id"), soci::use(kind, "kind"), soci::use(task.from, "from"),
       soci::use(task.to, "to"), soci::use(state, "state"), soci::use(task.orphan, "left_over"),
       soci::use(created_at, "created_at"), soci::use(account_id, "account"));
  statement.execute(true);
  if (statement.get_affected_rows() == 0) {
    return fail(ErrorCode::not_found, "There is no such account.");
  }
  return {};
}

Result<void> update(soci::session& sql, const TaskId& id, const Progress& progress) {
  const long long bytes_done = to_column(progress.bytes_done);
  const long long bytes_total = to_column(progress.bytes_total);
  const long long items_done = to_column(progress.items_done);
  const long long items_total = to_column(progress.items_total);
  const long long updated_at = to_column(now());
  soci::statement statement =
      (sql.prepare << "UPDATE tasks SET bytes_done = :bytes_done, bytes_total = :bytes_total, "
                      "items_done = :items_done, items_total = :items_total, updated_at = "
                      ":updated_at WHERE id = :id AND "
                   << kIsLive,
       soci::use(bytes_done, "bytes_done"), soci::use(bytes_total, "bytes_total"),
       soci::use(items_done, "items_done"), soci::use(items_total, "items_total"),
       soci::use(updated_at, "updated_at"), soci::use(id.value, "id"));
  statement.execute(true);
  if (statement.get_affected_rows() == 0) return no_such_task();
  return {};
}

Result<void> finish(soci::session& sql, const TaskId& id, const TaskEnd& end) {
  if (auto updated = update(sql, id, end.progress); !updated) return updated;
  const std::string state(to_string(end.state));
  sql << "UPDATE tasks SET state = :state, error = :error, "
         "left_over = CASE WHEN CAST(:state AS TEXT) = 'done' THEN '' ELSE left_over END "
         "WHERE id = :id",
      soci::use(state, "state"), soci::use(end.error, "error"), soci::use(id.value, "id");
  return {};
}

std::vector<TaskRecord> live_ones(soci::session& sql) {
  const soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT " << kTaskColumns << " FROM tasks WHERE " << kIsLive
                   << " ORDER BY id");
  return collect_tasks(rows);
}

}  // namespace

std::string_view to_string(TaskKind kind) {
  switch (kind) {
    case TaskKind::copy:
      return "copy";
    case TaskKind::move:
      return "move";
    case TaskKind::remove:
      return "remove";
  }
  return {};
}

std::optional<TaskKind> task_kind_from(std::string_view text) {
  for (const auto kind : {TaskKind::copy, TaskKind::move, TaskKind::remove}) {
    if (text == to_string(kind)) return kind;
  }
  return std::nullopt;
}

std::string_view to_string(TaskState state) {
  switch (state) {
    case TaskState::waiting:
      return "waiting";
    case TaskState::running:
      return "running";
    case TaskState::done:
      return "done";
    case TaskState::failed:
      return "failed";
    case TaskState::cancelled:
      return "cancelled";
    case TaskState::interrupted:
      return "interrupted";
  }
  return {};
}

std::optional<TaskState> task_state_from(std::string_view text) {
  for (const auto state : {TaskState::waiting, TaskState::running, TaskState::done,
                           TaskState::failed, TaskState::cancelled, TaskState::interrupted}) {
    if (text == to_string(state)) return state;
  }
  return std::nullopt;
}

Tasks::Tasks(Database& database)
    : database_(database), owed_(std::make_unique<OwedTaskEnds>(database, finish)) {}

Tasks::~Tasks() = default;

TaskId Tasks::new_id() {
  return {random_hex(16)};
}

// Never lost in a power failure: an item without a note stays for good.
Task<Result<void>> Tasks::note(TaskId id, NewTask task) {
  auto job = [&](soci::session& sql) { return upsert(sql, id, task); };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<void>> Tasks::report(TaskId id, Progress progress) {
  auto job = [&](soci::session& sql) { return update(sql, id, progress); };
  co_return co_await database_.run(Lane::ordered, std::move(job));
}

Task<Result<void>> Tasks::end(TaskId id, TaskEnd end) {
  const bool is_end = end.state != TaskState::running && end.state != TaskState::waiting;
  if (!is_end) throw std::logic_error("A task cannot end and run.");
  auto job = [&](soci::session& sql) { return finish(sql, id, end); };
  auto ended = co_await database_.run(Lane::write, std::move(job));
  if (ended || ended.error().code == ErrorCode::not_found) co_return ended;
  owed_->add(std::move(id), std::move(end));
  co_return Result<void>{};
}

Task<Result<TaskRecord>> Tasks::find(AccountId account, TaskId id) {
  const long long account_id = account.value;
  auto job = [&](soci::session& sql) -> Result<TaskRecord> {
    soci::row row;
    sql << "SELECT " << kTaskColumns << " FROM tasks WHERE id = :id AND account_id = :account",
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
                     << " FROM tasks WHERE account_id = :account ORDER BY created_at DESC, id DESC "
                        "LIMIT "
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

Task<Result<bool>> Tasks::is_of_ended_run(std::string partial_tag) {
  auto job = [&](soci::session& sql) -> Result<bool> { return has_ended(sql, partial_tag); };
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
