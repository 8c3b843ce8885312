#include "core/batch/file_tasks.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/batch/unpack_work.h"

namespace coffer::core {
namespace {

using catalog::TaskKind;
using catalog::TaskRecord;
using catalog::TaskState;

/// As the principal sees the path; nothing where it does not.
std::optional<std::string> seen_by(const Principal& principal, const std::string& text) {
  if (!principal.scope) return text;
  const auto path = Path::parse(text);
  if (!path || !path->is_within(*principal.scope)) return std::nullopt;
  return path->relative_to(*principal.scope).str();
}

/// False where the principal does not see it.
bool fit(const Principal& principal, std::string& text) {
  auto seen = seen_by(principal, text);
  if (!seen) return false;
  text = *std::move(seen);
  return true;
}

/// The task with its paths as the principal sees them; nothing if it is not its to see.
std::optional<TaskRecord> seen_by(const Principal& principal, TaskRecord task) {
  bool is_seen = fit(principal, task.from);
  if (task.kind != TaskKind::remove) is_seen = is_seen && fit(principal, task.to);
  for (std::string& source : task.sources) is_seen = is_seen && fit(principal, source);
  for (catalog::SkippedItem& item : task.skipped) is_seen = is_seen && fit(principal, item.path);
  if (!is_seen) return std::nullopt;
  return task;
}

std::unexpected<Error> no_such_task() {
  return fail(ErrorCode::not_found, "There is no such task.");
}

bool is_over(TaskState state) {
  return state != TaskState::running && state != TaskState::waiting;
}

Result<void> check_form(const Principal& principal, const BatchRequest& request) {
  TRY_VOID(check_may_write(principal));
  if (request.sources.empty()) return fail(ErrorCode::invalid, "The task has no sources.");
  if (request.sources.size() > FileTasks::kMostSources) {
    return fail(ErrorCode::invalid, "A task may have 1,000 sources at most.");
  }
  std::vector<Path> sorted = request.sources;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return {};
  return fail(ErrorCode::invalid, "A source is named twice.");
}

/// A root itself is for no task, but that a mount can be copied.
Result<void> check_source(const ResolvedPath& place, const BatchRequest& request) {
  const bool copies = request.kind == TaskKind::copy;
  if (request.kind == TaskKind::unpack) {
    if (!place.is_top) return {};
    return fail(ErrorCode::invalid, "A root is not an archive.");
  }
  if (place.read_only && !copies) {
    return fail(ErrorCode::forbidden, "This location is read-only.");
  }
  if (place.is_top && (!copies || !place.mount)) {
    return fail(ErrorCode::forbidden, "A root itself cannot be moved, copied or deleted.");
  }
  if (request.kind != TaskKind::remove || request.permanent || has_bin(place)) return {};
  return fail(ErrorCode::invalid,
              "\"" + place.account_path().str() +
                  "\" is where there is no bin, so deleting is for good: say \"permanent\": true "
                  "if that is what you want.");
}

catalog::NewTask task_of(const Principal& principal, const BatchRequest& request) {
  catalog::NewTask task;
  task.account = principal.account->id;
  task.account_name = principal.account->name;
  task.kind = request.kind;
  for (const Path& source : request.sources) {
    task.sources.push_back(principal.whole(source).str());
  }
  task.from = task.sources.front();
  if (request.kind == TaskKind::remove) return task;
  if (request.destination) task.to = principal.whole(*request.destination).str();
  // Not to be mistaken for none.
  if (request.kind == TaskKind::restore && request.destination && task.to.empty()) task.to = "/";
  task.on_conflict = request.on_conflict;
  return task;
}

}  // namespace

/// Of items of the bin the sources are ids, which their places take the place of.
Task<Result<void>> FileTasks::find_in_bin(const Principal& principal, BatchRequest& request) {
  if (principal.scope) {
    co_return fail(ErrorCode::forbidden, "A key limited to a folder has no bin.");
  }
  for (Path& source : request.sources) {
    BinItemId id{source.str()};
    CO_TRY(auto item, co_await services_.bin.find(principal, std::move(id)));
    source = origin_of(item);
    request.bin_items.push_back(std::move(item));
  }
  co_return Result<void>{};
}

Task<Result<TaskLoad>> FileTasks::check(Principal& principal, BatchRequest& request) {
  auto formed = check_form(principal, request);
  if (formed && request.kind == TaskKind::restore) {
    formed = co_await find_in_bin(principal, request);
  }
  if (!formed) co_return failure_of(std::move(formed));
  TaskLoad load = TaskLoad::disks;
  for (const Path& source : request.sources) {
    CO_TRY_VOID(co_await namespace_.hold(principal, source));
    CO_TRY(const auto place, co_await namespace_.resolve(principal, source));
    CO_TRY_VOID(check_source(place, request));
    if (place.is_on_server()) load = TaskLoad::servers;
  }
  if (!request.destination) co_return load;
  CO_TRY_VOID(co_await namespace_.hold(principal, *request.destination));
  CO_TRY(const auto folder,
         co_await namespace_.resolve(principal, *request.destination, Access::write));
  co_return folder.is_on_server() ? TaskLoad::servers : load;
}

Task<Result<TaskRecord>> FileTasks::start(Principal principal, BatchRequest request) {
  CO_TRY(const auto load, co_await check(principal, request));
  auto task = task_of(principal, request);
  Result<TaskId> id;
  if (request.kind == TaskKind::unpack) {
    auto work = std::make_shared<UnpackWork>(services_, pools_, unpack_slots_, principal,
                                             std::move(request));
    id = co_await begin(std::move(task), load, std::move(work));
  } else {
    auto work = std::make_shared<BatchWork>(services_, principal, std::move(request));
    id = co_await begin(std::move(task), load, std::move(work));
  }
  if (!id) co_return failure_of(id);
  co_return co_await find(principal, *id);
}

template <class Body>
Task<Result<TaskId>> FileTasks::begin(catalog::NewTask task, TaskLoad load,
                                      std::shared_ptr<Body> work) {
  auto run = [work](RunningTask& running) { return work->run(running); };
  CancelReason withdrawal = [work] { return work->withdrawal(); };
  co_return co_await task_runner_.start(std::move(task), load, std::move(run),
                                        std::move(withdrawal));
}

Task<Result<std::vector<TaskRecord>>> FileTasks::list(const Principal& principal) {
  CO_TRY(auto all, co_await services_.catalog.tasks().list(principal.account->id));
  std::vector<TaskRecord> seen;
  for (TaskRecord& task : all) {
    if (auto fitted = seen_by(principal, std::move(task))) seen.push_back(*std::move(fitted));
  }
  co_return seen;
}

Task<Result<TaskRecord>> FileTasks::find(const Principal& principal, TaskId id) {
  CO_TRY(auto task, co_await services_.catalog.tasks().find(principal.account->id, std::move(id)));
  auto seen = seen_by(principal, std::move(task));
  if (!seen) co_return no_such_task();
  co_return *std::move(seen);
}

Task<Result<void>> FileTasks::end(const Principal& principal, TaskId id) {
  CO_TRY_VOID(check_may_write(principal));
  CO_TRY(const auto task, co_await find(principal, id));
  if (!is_over(task.state)) {
    if (task_runner_.cancel(principal.account->id, id)) co_return Result<void>{};
    // Another process runs it, or did before a crash.
    auto asked = co_await services_.catalog.tasks().stop(principal.account->id, std::move(id));
    const bool has_ended = !asked && asked.error().code == ErrorCode::conflict;
    co_return has_ended ? Result<void>() : asked;
  }
  auto dropped = co_await services_.catalog.tasks().drop(id);
  task_runner_.tell(principal.account->id, id);
  co_return dropped;
}

}  // namespace coffer::core
