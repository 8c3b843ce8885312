#include "catalog/task_rows.h"

#include <soci/soci.h>

#include <stdexcept>

#include "catalog/columns.h"

namespace coffer::catalog {
namespace {

/// Paths have no control characters.
std::string lines(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + '\n';
  return all;
}

std::vector<std::string> lines_of(std::string_view all) {
  std::vector<std::string> found;
  for (std::size_t end = all.find('\n'); end != all.npos; end = all.find('\n')) {
    found.emplace_back(all.substr(0, end));
    all.remove_prefix(end + 1);
  }
  return found;
}

/// Nothing for a text that is none.
std::optional<ErrorCode> error_code_from(std::string_view text) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::failed); ++code) {
    if (to_string(static_cast<ErrorCode>(code)) == text) return static_cast<ErrorCode>(code);
  }
  return std::nullopt;
}

/// A line for each: path, reason and code, with tabs between.
std::string text_of(const std::vector<SkippedItem>& items) {
  std::string all;
  for (const SkippedItem& item : items) {
    all += item.path + '\t' + item.reason + '\t';
    if (item.code) all += to_string(*item.code);
    all += '\n';
  }
  return all;
}

/// Those of before have no code.
SkippedItem skipped_item_of(std::string_view line) {
  const std::size_t reason = line.find('\t') + 1;
  const std::size_t code = line.find('\t', reason);
  SkippedItem item;
  item.path = line.substr(0, reason - 1);
  item.reason = line.substr(reason, code - reason);
  if (code != line.npos) item.code = error_code_from(line.substr(code + 1));
  return item;
}

}  // namespace

TaskRecord task_from(const soci::row& row) {
  const auto kind = enum_from<TaskKind>(row.get<std::string>(2));
  const auto state = enum_from<TaskState>(row.get<std::string>(5));
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
  task.sources = lines_of(row.get<std::string>(14));
  task.on_conflict = enum_from<OnConflict>(row.get<std::string>(15));
  task.bytes_per_second = count(16);
  task.skipped_count = count(17);
  for (const std::string& line : lines_of(row.get<std::string>(18))) {
    task.skipped.push_back(skipped_item_of(line));
  }
  task.error_code = error_code_from(row.get<std::string>(19));
  return task;
}

std::vector<TaskRecord> collect_tasks(const soci::rowset<soci::row>& rows) {
  std::vector<TaskRecord> tasks;
  for (const soci::row& row : rows) tasks.push_back(task_from(row));
  return tasks;
}

Result<void> upsert_task(soci::session& sql, const TaskId& id, const NewTask& task) {
  const long long account_id = task.account.value;
  const long long created_at = to_column(now());
  const std::string kind(word_of(task.kind));
  const std::string state(word_of(task.state));
  const std::string sources = lines(task.sources);
  const std::string choice(task.on_conflict ? word_of(*task.on_conflict) : "");
  soci::statement statement =
      (sql.prepare << "INSERT INTO tasks (id, account_id, kind, from_path, to_path, state, "
                      "bytes_done, bytes_total, items_done, items_total, error, left_over, "
                      "created_at, updated_at, sources, on_conflict) SELECT :id, id, :kind, "
                      ":from, :to, :state, 0, 0, 0, 0, '', :left_over, :created_at, :created_at, "
                      ":sources, :choice FROM accounts "
                      "WHERE id = :account ON CONFLICT (id) DO UPDATE SET "
                      "left_over = excluded.left_over, state = CASE WHEN tasks.state = 'waiting' "
                      "THEN excluded.state ELSE tasks.state END, updated_at = excluded.updated_at",
       soci::use(id.value, "id"), soci::use(kind, "kind"), soci::use(task.from, "from"),
       soci::use(task.to, "to"), soci::use(state, "state"), soci::use(task.orphan, "left_over"),
       soci::use(created_at, "created_at"), soci::use(sources, "sources"),
       soci::use(choice, "choice"), soci::use(account_id, "account"));
  statement.execute(true);
  if (statement.get_affected_rows() == 0) {
    return fail(ErrorCode::not_found, "There is no such account.");
  }
  return {};
}

Result<void> update_task(soci::session& sql, const TaskId& id, const Progress& progress) {
  const long long bytes_done = to_column(progress.bytes_done);
  const long long bytes_total = to_column(progress.bytes_total);
  const long long items_done = to_column(progress.items_done);
  const long long items_total = to_column(progress.items_total);
  const long long speed = to_column(progress.bytes_per_second);
  const long long count = to_column(progress.skipped_count);
  const std::string skipped = text_of(progress.skipped);
  const long long updated_at = to_column(now());
  soci::statement statement =
      (sql.prepare << "UPDATE tasks SET bytes_done = :bytes_done, bytes_total = :bytes_total, "
                      "items_done = :items_done, items_total = :items_total, "
                      "bytes_per_second = :speed, skipped_count = :count, skipped = CASE WHEN "
                      "CAST(:skipped AS TEXT) = '' THEN skipped ELSE :skipped END, "
                      "updated_at = :updated_at WHERE id = :id AND "
                   << kIsLive,
       soci::use(bytes_done, "bytes_done"), soci::use(bytes_total, "bytes_total"),
       soci::use(items_done, "items_done"), soci::use(items_total, "items_total"),
       soci::use(speed, "speed"), soci::use(count, "count"), soci::use(skipped, "skipped"),
       soci::use(updated_at, "updated_at"), soci::use(id.value, "id"));
  statement.execute(true);
  if (statement.get_affected_rows() == 0)
    return fail(ErrorCode::not_found, "There is no such task.");
  return {};
}

Result<void> finish_task(soci::session& sql, const TaskId& id, const TaskEnd& end) {
  if (auto updated = update_task(sql, id, end.progress); !updated) return updated;
  const std::string state(word_of(end.state));
  const std::string code(end.error_code ? to_string(*end.error_code) : "");
  sql << "UPDATE tasks SET state = :state, error = :error, error_code = :code, "
         "left_over = CASE WHEN CAST(:state AS TEXT) = 'done' THEN '' ELSE left_over END "
         "WHERE id = :id",
      soci::use(state, "state"), soci::use(end.error, "error"), soci::use(code, "code"),
      soci::use(id.value, "id");
  return {};
}

}  // namespace coffer::catalog
