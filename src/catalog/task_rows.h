#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"
#include "catalog/task_record.h"

namespace soci {
class row;
class session;
template <typename T>
class rowset;
}  // namespace soci

namespace coffer::catalog {

// The rows of tasks. To be called in a transaction.

inline constexpr std::string_view kTaskColumns =
    "id, account_id, kind, from_path, to_path, state, bytes_done, bytes_total, items_done, "
    "items_total, error, left_over, created_at, updated_at, sources, on_conflict, "
    "bytes_per_second, skipped_count, skipped, error_code";

/// Of tasks that have not ended.
inline constexpr std::string_view kIsLive = "state IN ('running', 'waiting')";

/// Of a row with these columns.
TaskRecord task_from(const soci::row& row);
std::vector<TaskRecord> collect_tasks(const soci::rowset<soci::row>& rows);

/// As Tasks::note.
Result<void> upsert_task(soci::session& sql, const TaskId& id, const NewTask& task);
/// As Tasks::report.
Result<void> update_task(soci::session& sql, const TaskId& id, const Progress& progress);
/// As Tasks::end.
Result<void> finish_task(soci::session& sql, const TaskId& id, const TaskEnd& end);

}  // namespace coffer::catalog
