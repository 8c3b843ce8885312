#include <algorithm>
#include <array>
#include <utility>

#include "api/v2/refusal_words.h"
#include "api/v2/route.h"
#include "base/character_set.h"
#include "base/text.h"
#include "http/problem.h"

namespace coffer::api::v2 {
namespace {

/// What a task does, in the words of this interface.
enum class TaskWork : std::uint8_t { copy, move, delete_, restore, unpack };

constexpr auto words_of(TaskWork) {
  using enum TaskWork;
  return enum_words<TaskWork>({{copy, "copy"},
                               {move, "move"},
                               {delete_, "delete"},
                               {restore, "restore"},
                               {unpack, "unpack"}});
}

struct SkippedDetails {
  static constexpr std::string_view kSchema = "SkippedItem";
  FIELD(std::string, path, "The item.", R"("holiday/photo.jpg")");
  FIELD(std::string, reason, "The reason why it was skipped.", R"("Its name is taken there.")");
  FIELD(std::optional<std::string>, code,
        "The reason for programs: the code of a problem; null in tasks of earlier versions.",
        R"("name_taken")");
  FIELD(std::optional<std::string>, reasonCode,
        "A word that says more than the code, where there is one: into_itself, not_a_folder, "
        "is_link, special_file, name_not_allowed, archive_encrypted, archive_damaged, "
        "archive_too_large, too_deep, created_since, disk_full. Others may follow.",
        "null");
};

struct TaskDetails {
  static constexpr std::string_view kSchema = "Task";
  FIELD(std::string, id, "Identifier.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(TaskWork, kind, "copy, move, delete, restore or unpack.", R"("copy")");
  FIELD(catalog::TaskState, state,
        "waiting for other tasks of the account, running, done, failed, cancelled, or interrupted "
        "by the end of the server.",
        R"("running")");
  FIELD(std::vector<std::string>, sources,
        "The first of its items, at most 100; for restore, their former paths.", R"(["holiday"])");
  FIELD(std::uint64_t, sourceCount, "Their number.", "1");
  FIELD(std::optional<std::string>, destination,
        "The destination folder; null for delete, and for restore to the former paths.",
        R"("backup")");
  FIELD(std::optional<catalog::OnConflict>, onConflict,
        "The choice for names that are taken; null for tasks without one.", R"("skip")");
  FIELD(std::uint64_t, bytesDone, "Bytes stored so far.", "1048576");
  FIELD(std::uint64_t, bytesTotal,
        "The bytes in total; 0 until they are known, growing while folders are listed.", "8388608");
  FIELD(std::uint64_t, itemsDone, "Files and folders that are complete.", "3");
  FIELD(std::uint64_t, itemsTotal, "The files and folders in total, likewise.", "20");
  FIELD(std::uint64_t, bytesPerSecond, "The present speed.", "104857600");
  FIELD(std::optional<std::uint64_t>, secondsLeft,
        "The estimated seconds to the end; null if they cannot be estimated.", "1");
  FIELD(
      std::vector<SkippedDetails>, skipped,
      "The first 100 skipped items. An entry of an archive with an unusable name is listed under "
      "the archive.",
      R"([{"path":"holiday/photo.jpg","reason":"Its name is taken there.","code":"name_taken","reasonCode":null}])");
  FIELD(std::uint64_t, skippedCount, "Their number.", "1");
  FIELD(std::optional<std::string>, error, "The reason why it failed or stopped; otherwise null.",
        "null");
  FIELD(std::optional<std::string>, errorCode,
        "The reason of a failure for programs: the code of a problem, such as name_taken.", "null");
  FIELD(std::optional<std::string>, errorReason,
        "A word that says more than errorCode, as reasonCode of a skipped item.", "null");
  FIELD(bool, canRestart, "True if it was interrupted and can be started again.", "false");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, updatedAt, "UTC.", R"("2026-11-21T06:14:10")");
};

using TaskSources = std::optional<ListOf<NonEmpty<SourcePath>, core::FileTasks::kMostSources>>;

struct WantedTask {
  FIELD(TaskWork, kind, "copy, move, delete, restore or unpack.", R"("copy")");
  FIELD(TaskSources, sources,
        "The items, each once. For restore, their identifiers in the bin; for unpack, archives: "
        "zip, 7z or tar, also compressed by gzip, bzip2, xz, zstd or lz4. The whole body has at "
        "most 64 KB; for more, make a selection.",
        R"(["holiday"])");
  FIELD(std::optional<NonEmpty<std::string>>, selection,
        "In place of sources: the id of a selection, which the task takes over. Not for unpack. "
        "Items beyond the first 1,000 are looked at when their turn comes.",
        "null");
  FIELD(std::optional<Path>, destination,
        "The existing destination folder; empty means the root. Required for copy, move and "
        "unpack; optional for restore, which otherwise uses the former paths; not for delete.",
        R"("backup")");
  FIELD(std::optional<catalog::OnConflict>, onConflict,
        "The choice for names that are taken. fail (default) ends the task, before any change if "
        "the name was taken at the start. replace puts a file in the place of a file and merges "
        "folders. skip merges folders and leaves existing files. keepBoth gives the new item "
        "another name. Items replaced by restore go into the bin. With fail, unpack checks the top "
        "names of a zip or uncompressed tar before it starts, those of other archives as it meets "
        "them; a name that occurs twice in an archive is taken the second time. Not for delete.",
        R"("skip")");
  FIELD(std::optional<CharacterSet>, characterSet,
        "For unpack only: the character set of the names in the archives that are not UTF-8 and do "
        "not say what they are. Otherwise it is ibm437 in a zip, as the format says, and "
        "windows-1252 in a tar. Items whose names are not in the set are left out.",
        "null");
  FIELD(std::optional<bool>, permanent,
        "For delete only: true deletes for good; otherwise the items go into the bin, if their "
        "location has one.",
        "null");
};

using catalog::TaskKind;
using catalog::TaskRecord;
using catalog::TaskState;

/// What a list of the longest tasks takes while it is read and made.
constexpr std::uint64_t kListBytes = 8 * 1024 * 1024;

TaskWork work_of(TaskKind kind) {
  if (kind == TaskKind::copy) return TaskWork::copy;
  if (kind == TaskKind::restore) return TaskWork::restore;
  if (kind == TaskKind::unpack) return TaskWork::unpack;
  return kind == TaskKind::move ? TaskWork::move : TaskWork::delete_;
}

TaskKind kind_of(TaskWork work) {
  if (work == TaskWork::copy) return TaskKind::copy;
  if (work == TaskWork::restore) return TaskKind::restore;
  if (work == TaskWork::unpack) return TaskKind::unpack;
  return work == TaskWork::move ? TaskKind::move : TaskKind::remove;
}

/// The folder that the path is in.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

void name_ends(const TaskRecord& task, TaskDetails& details) {
  // A task of one item notes the item's own new place.
  const bool is_batch = task.source_count > 0;
  details.sources = task.sources.empty() ? std::vector{task.from} : task.sources;
  details.sourceCount = is_batch ? task.source_count : 1;
  const bool stays = task.kind == TaskKind::restore && task.to.empty();
  if (task.kind != TaskKind::remove && !stays) {
    details.destination = is_batch ? task.to : folder_of(task.to);
    if (details.destination == "/") details.destination = "";
  }
  details.onConflict = task.on_conflict;
}

std::optional<std::uint64_t> seconds_left(const TaskRecord& task) {
  const bool is_known = task.state == TaskState::running && task.bytes_per_second > 0 &&
                        task.bytes_total >= task.bytes_done && task.bytes_total > 0;
  if (!is_known) return std::nullopt;
  return (task.bytes_total - task.bytes_done) / task.bytes_per_second;
}

TaskDetails details_of(const TaskRecord& task) {
  TaskDetails details;
  details.id = task.id.value;
  details.kind = work_of(task.kind);
  details.state = task.state;
  name_ends(task, details);
  details.bytesDone = task.bytes_done;
  details.bytesTotal = task.bytes_total;
  details.itemsDone = task.items_done;
  details.itemsTotal = std::max(task.items_total, task.items_done);
  if (task.state == TaskState::running) details.bytesPerSecond = task.bytes_per_second;
  details.secondsLeft = seconds_left(task);
  for (const catalog::SkippedItem& item : task.skipped) {
    SkippedDetails& left = details.skipped.emplace_back(item.path, item.reason);
    if (item.code) left.code = http::problem_code(*item.code);
    left.reasonCode = refusal_word(item.reason);
  }
  details.skippedCount = task.skipped_count;
  if (!task.error.empty()) details.error = task.error;
  const bool has_failed = task.state == catalog::TaskState::failed;
  if (has_failed && task.error_code) details.errorCode = http::problem_code(*task.error_code);
  if (has_failed) details.errorReason = refusal_word(task.error);
  details.canRestart =
      task.state == TaskState::interrupted && task.sources_done < task.source_count;
  details.createdAt = task.created_at;
  details.updatedAt = task.updated_at;
  return details;
}

/// What the members say together.
Result<void> check_wanted(const WantedTask& wanted) {
  if (wanted.sources.has_value() == wanted.selection.has_value()) {
    return fail(ErrorCode::invalid, "Give either sources or selection.");
  }
  if (wanted.characterSet && wanted.kind != TaskWork::unpack) {
    return fail(ErrorCode::invalid, "characterSet is for unpack only.");
  }
  if (wanted.kind != TaskWork::delete_) {
    if (wanted.permanent.value_or(false)) {
      return fail(ErrorCode::invalid, "permanent is for delete only.");
    }
    if (!wanted.destination && wanted.kind != TaskWork::restore) {
      return fail(ErrorCode::invalid, "A copy, a move and unpacking need a destination.");
    }
    return {};
  }
  if (wanted.destination || wanted.onConflict) {
    return fail(ErrorCode::invalid, "destination and onConflict are not for delete.");
  }
  return {};
}

core::BatchRequest request_of(WantedTask wanted) {
  core::BatchRequest request;
  request.kind = kind_of(wanted.kind);
  if (wanted.sources) {
    for (auto& source : wanted.sources->items) {
      request.sources.push_back(std::move(source.value.value));
    }
  }
  if (wanted.selection) request.selection = SelectionId{std::move(wanted.selection->value)};
  request.destination = wanted.destination;
  request.permanent = wanted.permanent.value_or(false);
  request.character_set = wanted.characterSet;
  request.on_conflict = wanted.onConflict.value_or(catalog::OnConflict::fail);
  return request;
}

Task<Result<Answer<std::vector<TaskDetails>>>> list_tasks(Call call, NoParameters, NoBody) {
  auto hold = call.services.memory.begin(call.holder());
  CO_TRY_VOID(hold.grow(kListBytes));
  CO_TRY(const auto found, co_await call.services.tasks.list(call.principal()));
  std::vector<TaskDetails> tasks;
  for (const TaskRecord& task : found) tasks.push_back(details_of(task));
  co_return Answer<std::vector<TaskDetails>>{std::move(tasks)};
}

Task<Result<Answer<TaskDetails>>> begin_task(Call call, NoParameters, WantedTask body) {
  CO_TRY_VOID(check_wanted(body));
  auto request = request_of(std::move(body));
  CO_TRY(const auto task, co_await call.services.tasks.start(call.principal(), std::move(request)));
  std::string location = "/api/v2/tasks/" + task.id.value;
  co_return Answer<TaskDetails>{details_of(task), {{"Location", std::move(location)}}};
}

Task<Result<Answer<TaskDetails>>> show_task(Call call, EntryParameters parameters, NoBody) {
  TaskId id{std::move(parameters.id.value)};
  CO_TRY(const auto task, co_await call.services.tasks.find(call.principal(), std::move(id)));
  co_return Answer<TaskDetails>{details_of(task)};
}

Task<Result<Answer<TaskDetails>>> restart_task(Call call, EntryParameters parameters, NoBody) {
  TaskId id{std::move(parameters.id.value)};
  CO_TRY(const auto task, co_await call.services.tasks.restart(call.principal(), std::move(id)));
  std::string location = "/api/v2/tasks/" + task.id.value;
  co_return Answer<TaskDetails>{details_of(task), {{"Location", std::move(location)}}};
}

Task<Result<void>> end_task(Call call, EntryParameters parameters, NoBody) {
  TaskId id{std::move(parameters.id.value)};
  co_return co_await call.services.tasks.end(call.principal(), std::move(id));
}

}  // namespace

std::vector<Route> task_routes() {
  using http::Method;
  return {
      json_route(
          Route(Method::get, "/api/v2/tasks", "listTasks", "List long work",
                "The last 200 tasks of the account, newest first, including longer operations of "
                "/api/v1. A key that is limited to a folder sees the tasks within it.",
                CallerRule::files),
          &list_tasks),
      json_route(
          Route(Method::post, "/api/v2/tasks", "beginTask", "Copy, move, delete, restore or unpack",
                "The answer comes once the task is recorded; it then runs by itself, item by item, "
                "and each item appears completely or not at all. Failed items are listed in "
                "skipped, and the others go on. The task fails if no item succeeded, the quota or "
                "the disk is full, or a right is withdrawn. Unpacking leaves out links, devices, "
                "names that lead out of the folder, are unreadable or reserved, and items that are "
                "damaged, encrypted or compressed by an unknown method. If an archive cannot be "
                "read to its end, is too large or too deep, the items unpacked so far stay, and "
                "the task fails. At most 100 tasks of an account wait or run.",
                CallerRule::files, 202, {404, 502, 504, 507}),
          &begin_task),
      json_route(Route(Method::get, "/api/v2/tasks/{id}", "showTask", "Show the progress of a task",
                       "Its figures are at most a second old.", CallerRule::files, 200, {404}),
                 &show_task),
      json_route(
          Route(
              Method::post, "/api/v2/tasks/{id}/restart", "restartTask",
              "Start an interrupted task again",
              "A new task takes its place and goes on with the items that were not over; the "
              "item that was under way begins anew. With the choice fail, names that are taken "
              "by now are skipped, since the task may have taken them itself. With keepBoth the "
              "last item may be there twice. What was created since under the name of an item is "
              "neither moved nor deleted. 409: it was not interrupted, or has nothing left to do.",
              CallerRule::files, 202, {404, 409, 502, 504, 507}),
          &restart_task),
      json_route(Route(Method::del, "/api/v2/tasks/{id}", "endTask", "Stop or forget a task",
                       "A task that has not ended stops soon: complete items stay, incomplete ones "
                       "are removed. A task that has ended leaves the list.",
                       CallerRule::files, 204, {404, 507}),
                 &end_task)};
}

}  // namespace coffer::api::v2
