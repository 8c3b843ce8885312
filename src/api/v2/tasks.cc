#include <algorithm>
#include <array>
#include <utility>

#include "api/file_parameters.h"
#include "api/v2/resources.h"
#include "base/text.h"
#include "http/problem.h"

namespace coffer::api {

namespace v2 {

/// What a task does, in the words of this interface.
enum class TaskWork : std::uint8_t { copy, move, delete_, restore, unpack };

std::string_view to_string(TaskWork work) {
  switch (work) {
    case TaskWork::copy:
      return "copy";
    case TaskWork::move:
      return "move";
    case TaskWork::delete_:
      return "delete";
    case TaskWork::restore:
      return "restore";
    case TaskWork::unpack:
      return "unpack";
  }
  std::unreachable();
}

struct SkippedDetails {
  std::string path;
  std::string reason;
  std::optional<std::string> code;
};
BOOST_DESCRIBE_STRUCT(SkippedDetails, (), (path, reason, code))

struct TaskDetails {
  std::string id;
  TaskWork kind = TaskWork::copy;
  catalog::TaskState state = catalog::TaskState::running;
  std::vector<std::string> sources;
  std::uint64_t sourceCount = 0;
  std::optional<std::string> destination;
  std::optional<catalog::OnConflict> onConflict;
  std::uint64_t bytesDone = 0;
  std::uint64_t bytesTotal = 0;
  std::uint64_t itemsDone = 0;
  std::uint64_t itemsTotal = 0;
  std::uint64_t bytesPerSecond = 0;
  std::optional<std::uint64_t> secondsLeft;
  std::vector<SkippedDetails> skipped;
  std::uint64_t skippedCount = 0;
  std::optional<std::string> error;
  std::optional<std::string> errorCode;
  Timestamp createdAt;
  Timestamp updatedAt;
};
BOOST_DESCRIBE_STRUCT(TaskDetails, (),
                      (id, kind, state, sources, sourceCount, destination, onConflict, bytesDone,
                       bytesTotal, itemsDone, itemsTotal, bytesPerSecond, secondsLeft, skipped,
                       skippedCount, error, errorCode, createdAt, updatedAt))

struct WantedTask {
  TaskWork kind = TaskWork::copy;
  ListOf<NonEmpty<SourcePath>, core::FileTasks::kMostSources> sources;
  std::optional<Path> destination;
  std::optional<catalog::OnConflict> onConflict;
  std::optional<bool> permanent;
};
BOOST_DESCRIBE_STRUCT(WantedTask, (), (kind, sources, destination, onConflict, permanent))

struct TaskParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(TaskParameters, (), (id))

}  // namespace v2

template <>
struct Words<v2::TaskWork> {
  static constexpr std::array all{v2::TaskWork::copy, v2::TaskWork::move, v2::TaskWork::delete_,
                                  v2::TaskWork::restore, v2::TaskWork::unpack};
};
template <>
struct Words<catalog::TaskState> {
  static constexpr std::array all{catalog::TaskState::waiting,   catalog::TaskState::running,
                                  catalog::TaskState::done,      catalog::TaskState::failed,
                                  catalog::TaskState::cancelled, catalog::TaskState::interrupted};
};
template <>
struct Words<catalog::OnConflict> {
  static constexpr std::array all{catalog::OnConflict::fail, catalog::OnConflict::replace,
                                  catalog::OnConflict::skip, catalog::OnConflict::keep_both};
};

template <>
struct Docs<v2::SkippedDetails> {
  static constexpr std::string_view name = "SkippedItem";
  static constexpr std::array<FieldDoc, 3> fields{{
      {"path", "The item.", R"("holiday/photo.jpg")"},
      {"reason", "Why it was left as it was.", R"("Its name is taken there.")"},
      {"code",
       "The same for programs: the code of a problem; null where an earlier version noted it.",
       R"("name_taken")"},
  }};
};

template <>
struct Docs<v2::TaskDetails> {
  static constexpr std::string_view name = "Task";
  static constexpr std::array<FieldDoc, 19> fields{{
      {"id", "Identifier.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"kind", "copy, move, delete, restore or unpack.", R"("copy")"},
      {"state",
       "waiting for others of the account, running, done, failed, cancelled, or interrupted by an "
       "end of the server.",
       R"("running")"},
      {"sources", "The first 100 of the items that it is about; of restored ones, where they were.",
       R"(["holiday"])"},
      {"sourceCount", "How many there are.", "1"},
      {"destination",
       "The folder where they go; null where they are deleted, or restored to where they were.",
       R"("backup")"},
      {"onConflict", "What was chosen for names that are taken; null for tasks without a choice.",
       R"("skip")"},
      {"bytesDone", "Bytes stored so far.", "1048576"},
      {"bytesTotal", "Of so many; it may grow while folders are looked at, 0 before.", "8388608"},
      {"itemsDone", "Files and folders that are complete.", "3"},
      {"itemsTotal", "Of so many, likewise.", "20"},
      {"bytesPerSecond", "Of late.", "104857600"},
      {"secondsLeft", "As it looks now; null where that cannot be told.", "1"},
      {"skipped",
       "The first 100 of the items that were left as they were; what an archive has under a name "
       "that nothing is made under is told at the archive.",
       R"([{"path":"holiday/photo.jpg","reason":"Its name is taken there.","code":"name_taken"}])"},
      {"skippedCount", "How many there are.", "1"},
      {"error", "Why it failed or stopped; null otherwise.", "null"},
      {"errorCode",
       "The same for programs, where it failed: the code of a problem, such as name_taken.",
       "null"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"updatedAt", "UTC.", R"("2026-11-21T06:14:10")"},
  }};
};

template <>
struct Docs<v2::WantedTask> {
  static constexpr std::array<FieldDoc, 5> fields{{
      {"kind", "copy, move, delete, restore or unpack.", R"("copy")"},
      {"sources",
       "The items, each once, for restore their identifiers in the bin, for unpack archives: zip, "
       "7z, or tar, which may be packed by gzip, bzip2, xz, zstd or lz4. The whole body has at "
       "most "
       "64 KiB.",
       R"(["holiday"])"},
      {"destination",
       "The existing folder where they go, the root if it is empty: copy, move and unpack need it, "
       "restore may have it instead of where the items were, and delete has none.",
       R"("backup")"},
      {"onConflict",
       "Where a name is taken: fail, as if nothing is said, ends the task, before anything is done "
       "if it was taken then; replace lets a file take a file's place, and what a folder holds go "
       "into the folder there; skip does the same, but leaves the files that are there; keepBoth "
       "gives another name. What restore replaces goes into the bin. Unpacking with fail looks at "
       "the names at the archive's top beforehand in a zip or a tar that is not packed, and on the "
       "way in others; a name that an archive has twice is taken the second time. Not for delete.",
       R"("skip")"},
      {"permanent",
       "For delete only: true deletes for good, else it goes into the bin, which needs a place "
       "with "
       "one.",
       "null"},
  }};
};

template <>
struct Docs<v2::TaskParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The task's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

namespace v2 {
namespace {

using catalog::TaskKind;
using catalog::TaskRecord;
using catalog::TaskState;

constexpr std::size_t kShownSources = 100;

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
  const bool is_batch = !task.sources.empty();
  details.sources = is_batch ? task.sources : std::vector{task.from};
  details.sourceCount = details.sources.size();
  if (details.sources.size() > kShownSources) details.sources.resize(kShownSources);
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
  }
  details.skippedCount = task.skipped_count;
  if (!task.error.empty()) details.error = task.error;
  const bool has_failed = task.state == catalog::TaskState::failed;
  if (has_failed && task.error_code) details.errorCode = http::problem_code(*task.error_code);
  details.createdAt = task.created_at;
  details.updatedAt = task.updated_at;
  return details;
}

/// What the members say together.
Result<void> check_wanted(const WantedTask& wanted) {
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
  for (auto& source : wanted.sources.items) {
    request.sources.push_back(std::move(source.value.value));
  }
  request.destination = wanted.destination;
  request.permanent = wanted.permanent.value_or(false);
  request.on_conflict = wanted.onConflict.value_or(catalog::OnConflict::fail);
  return request;
}

Task<Result<Answer<std::vector<TaskDetails>>>> list_tasks(Call call, NoParameters, NoBody) {
  const auto found = co_await call.services.tasks.list(call.principal());
  if (!found) co_return failure_of(found);
  std::vector<TaskDetails> tasks;
  for (const TaskRecord& task : *found) tasks.push_back(details_of(task));
  co_return Answer<std::vector<TaskDetails>>{std::move(tasks)};
}

Task<Result<Answer<TaskDetails>>> begin_task(Call call, NoParameters, WantedTask body) {
  auto allowed = check_wanted(body);
  if (!allowed) co_return failure_of(std::move(allowed));
  auto request = request_of(std::move(body));
  const auto task = co_await call.services.tasks.start(call.principal(), std::move(request));
  if (!task) co_return failure_of(task);
  std::string location = "/api/v2/tasks/" + task->id.value;
  co_return Answer<TaskDetails>{details_of(*task), {{"Location", std::move(location)}}};
}

Task<Result<Answer<TaskDetails>>> show_task(Call call, TaskParameters parameters, NoBody) {
  TaskId id{std::move(parameters.id.value)};
  const auto task = co_await call.services.tasks.find(call.principal(), std::move(id));
  if (!task) co_return failure_of(task);
  co_return Answer<TaskDetails>{details_of(*task)};
}

Task<Result<Answer<Nothing>>> end_task(Call call, TaskParameters parameters, NoBody) {
  TaskId id{std::move(parameters.id.value)};
  auto ended = co_await call.services.tasks.end(call.principal(), std::move(id));
  if (!ended) co_return failure_of(std::move(ended));
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> task_routes() {
  using http::Method;
  Route list{Method::get, "/api/v2/tasks", "listTasks", "List long work",
             "The last 200 of the account's tasks, the newest first, also those that /api/v1 waits "
             "for once they have lasted for a moment. A key that is limited to a folder sees "
             "those within it."};
  Route begin{
      Method::post, "/api/v2/tasks", "beginTask", "Copy, move, delete, restore or unpack",
      "Answers when it is noted; it goes on by itself, one item after the other, each of "
      "which shows whole or not at all. What cannot be done with one is told in skipped, "
      "and the others are done; it fails where nothing could be done, the quota or the "
      "disk is full, or a right is withdrawn. Unpacking leaves out links, devices, and names "
      "that lead out of the folder, cannot be read or are kept; what shows of an archive "
      "that is damaged, encrypted, too large or too deep stays, and the task fails. At most "
      "100 are under way for an account."};
  begin.success = 202;
  begin.errors = {404, 429, 502, 504, 507};
  Route show{Method::get, "/api/v2/tasks/{id}", "showTask", "Ask how far a task is",
             "Its figures are at most a second old."};
  show.errors = {404};
  Route end{Method::del, "/api/v2/tasks/{id}", "endTask", "Stop or forget a task",
            "One that has not ended stops soon: what is complete stays, what is not goes. One that "
            "has ended is not listed any more."};
  end.success = 204;
  end.errors = {404, 507};
  for (Route* route : {&list, &begin, &show, &end}) route->rule = CallerRule::files;
  return {json_route(list, &list_tasks), json_route(begin, &begin_task),
          json_route(show, &show_task), json_route(end, &end_task)};
}

}  // namespace v2
}  // namespace coffer::api
