#include "core/batch/file_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/batch/unpack_work.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;
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
  // Tasks of earlier versions have no root.
  const bool has_root = !task.source_root.empty() || task.source_count > task.sources.size();
  if (has_root) is_seen = is_seen && fit(principal, task.source_root);
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
  if (request.restarts) return {};
  if (request.selection) {
    if (request.kind != TaskKind::unpack && request.sources.empty()) return {};
    return fail(ErrorCode::invalid, "A task has sources or a selection, and unpacks no selection.");
  }
  if (request.sources.empty()) return fail(ErrorCode::invalid, "The task has no sources.");
  if (request.sources.size() <= FileTasks::kMostSources) return {};
  return fail(ErrorCode::invalid, "A task may have 1,000 sources at most, or a selection.");
}

/// The deepest folder that both are in.
Path common_root(Path a, const Path& b) {
  while (!b.is_within(a)) a = a.parent();
  return a;
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
  if (!copies) TRY_VOID(check_may_leave(place));
  if (place.is_top && (!copies || !place.mount)) {
    return fail(ErrorCode::forbidden, "A root itself cannot be moved, copied or deleted.");
  }
  if (request.kind != TaskKind::remove || request.permanent || has_bin(place)) return {};
  return fail(ErrorCode::invalid,
              fmt::format("\"{}\" is where there is no bin, so deleting is for good: say "
                          "\"permanent\": true if that is what you want.",
                          place.name()));
}

}  // namespace

/// What a request names.
struct FileTasks::Listed {
  /// The first of them, as the principal sees them; of items to restore their former paths.
  std::vector<Path> first = {};
  std::optional<Path> root = {};  ///< The deepest folder that all are in, as the principal sees it.
  std::vector<std::size_t> hashes = {};

  void add(Path item) {
    hashes.push_back(std::hash<std::string>{}(item.str()));
    root = root ? common_root(*std::move(root), item) : item;
    if (first.size() < kMostSources) first.push_back(std::move(item));
  }
};

/// There may be 100,000 of them, with long paths: no thread that serves others looks at them.
Task<Result<void>> FileTasks::read_selection(const Principal& principal,
                                             const BatchRequest& request, Listed& listed) {
  SelectedItems items(services_.catalog.selections(), principal, *request.selection);
  Pool& pool = pools_.of(principal.account->id).packing;
  std::uint64_t number = 0;
  for (;;) {
    CO_TRY(const auto part, co_await items.next_part());
    if (part.empty()) co_return Result<void>{};
    auto work = [&]() -> Result<void> {
      for (const std::string& text : part) {
        TRY(auto item, items.seen(text));
        if (number++ >= request.sources_done) listed.add(std::move(item));
      }
      return {};
    };
    CO_TRY_VOID(co_await pool.run(std::move(work)));
  }
}

/// Also finds items that are named twice.
Task<Result<FileTasks::Listed>> FileTasks::read_items(const Principal& principal,
                                                      const BatchRequest& request) {
  CO_TRY_VOID(check_form(principal, request));
  Listed listed;
  for (const Path& source : request.sources) listed.add(source);
  if (request.selection) {
    CO_TRY_VOID(co_await read_selection(principal, request, listed));
    if (listed.first.empty()) co_return no_such_selection();
  }
  std::ranges::sort(listed.hashes);
  if (std::ranges::adjacent_find(listed.hashes) == listed.hashes.end()) co_return listed;
  co_return fail(ErrorCode::invalid, "A source is named twice.");
}

/// Of items of the bin the first are ids, which their places take the place of.
Task<Result<void>> FileTasks::find_in_bin(const Principal& principal, BatchRequest& request,
                                          Listed& listed) {
  if (principal.scope) {
    co_return fail(ErrorCode::forbidden, "A key limited to a folder has no bin.");
  }
  listed.root.reset();
  for (Path& source : listed.first) {
    BinItemId id{source.str()};
    auto item = co_await services_.bin.find(principal, std::move(id));
    const bool is_restored = request.restarts && !item && item.error().code == ErrorCode::not_found;
    if (!item && !is_restored) co_return failure_of(item);
    if (item) {
      source = origin_of(*item);
      request.bin_items.push_back(*std::move(item));
    }
    listed.root = listed.root ? common_root(*std::move(listed.root), source) : source;
  }
  if (listed.hashes.size() > listed.first.size()) listed.root = Path();
  co_return Result<void>{};
}

Task<Result<TaskLoad>> FileTasks::check(Principal& principal, const BatchRequest& request,
                                        const Listed& listed) {
  TaskLoad load = TaskLoad::disks;
  for (const Path& source : listed.first) {
    CO_TRY_VOID(co_await namespace_.hold(principal, source));
    CO_TRY(const auto place, co_await namespace_.resolve(principal, source));
    CO_TRY_VOID(check_source(place, request));
    if (place.is_on_server()) load = TaskLoad::servers;
  }
  if (!request.destination) co_return load;
  CO_TRY_VOID(co_await namespace_.hold(principal, *request.destination));
  CO_TRY(const auto folder,
         co_await namespace_.resolve(principal, *request.destination, Access::add));
  co_return folder.is_on_server() ? TaskLoad::servers : load;
}

catalog::NewTask FileTasks::task_of(const Principal& principal, const BatchRequest& request,
                                    const Listed& listed) {
  catalog::NewTask task;
  task.account = principal.account->id;
  task.account_name = principal.account->name;
  task.kind = request.kind;
  task.restarts = request.restarts;
  task.sources_done = request.sources_done;
  task.permanent = request.permanent;
  if (!request.restarts) {
    task.selection = request.selection;
    for (const Path& source : request.sources) task.items.push_back(principal.whole(source).str());
  }
  for (const Path& source : listed.first) task.sources.push_back(principal.whole(source).str());
  task.from = task.sources.front();
  task.source_root = principal.whole(*listed.root).str();
  if (request.kind == TaskKind::remove) return task;
  if (request.destination) task.to = principal.whole(*request.destination).str();
  // Not to be mistaken for none.
  if (request.kind == TaskKind::restore && request.destination && task.to.empty()) task.to = "/";
  task.on_conflict = request.on_conflict;
  task.character_set = request.character_set;
  return task;
}

Task<Result<TaskRecord>> FileTasks::start(Principal principal, BatchRequest request) {
  principal.outlives_sign_out = true;
  CO_TRY(auto listed, co_await read_items(principal, request));
  if (request.kind == TaskKind::restore) {
    CO_TRY_VOID(co_await find_in_bin(principal, request, listed));
  }
  CO_TRY(const auto load, co_await check(principal, request, listed));
  auto task = task_of(principal, request, listed);
  Result<TaskId> id;
  if (request.kind == TaskKind::unpack) {
    AccountSlots& slots = load == TaskLoad::servers ? unpack_slots_of_servers_ : unpack_slots_;
    auto work =
        std::make_shared<UnpackWork>(services_, pools_, slots, principal, std::move(request));
    id = co_await begin(std::move(task), load, std::move(work));
  } else {
    request.sources.clear();  // The catalog has them.
    auto work = std::make_shared<BatchWork>(services_, principal, std::move(request));
    id = co_await begin(std::move(task), load, std::move(work));
  }
  if (!id) co_return failure_of(id);
  co_return co_await find(principal, *id);
}

Task<Result<BatchRequest>> FileTasks::request_again(const Principal& principal,
                                                    const TaskRecord& task) {
  const AccountId account = principal.account->id;
  auto items = co_await services_.catalog.selections().of_task(account, task.id);
  const bool is_over = task.sources_done >= task.source_count;
  if (task.state != TaskState::interrupted || is_over || !items) {
    co_return fail(ErrorCode::conflict, "The task cannot be started again.");
  }
  BatchRequest request;
  request.kind = task.kind;
  request.permanent = task.permanent;
  request.character_set = task.character_set;
  request.restarts = task.id;
  request.sources_done = task.sources_done;
  request.chosen_at = items->chosen_at;
  request.on_conflict = task.on_conflict.value_or(OnConflict::fail);
  // Its own items have taken names, too.
  if (request.on_conflict == OnConflict::fail) request.on_conflict = OnConflict::skip;
  const bool stays = task.kind == TaskKind::restore && task.to.empty();
  if (task.kind != TaskKind::remove && !stays) {
    CO_TRY(request.destination, Path::parse(task.to == "/" ? "" : task.to));
  }
  request.selection = items->id;
  if (task.kind != TaskKind::unpack) co_return request;
  CO_TRY(auto archives, co_await read_items(principal, request));
  request.sources = std::move(archives.first);
  request.selection.reset();
  co_return request;
}

Task<Result<TaskRecord>> FileTasks::restart(Principal principal, TaskId id) {
  CO_TRY_VOID(check_may_write(principal));
  CO_TRY(const auto task, co_await find(principal, std::move(id)));
  CO_TRY(auto request, co_await request_again(principal, task));
  auto begun = co_await start(std::move(principal), std::move(request));
  if (begun) task_runner_.tell(task.account, task.id);
  co_return begun;
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
  auto dropped = co_await services_.catalog.tasks().drop(principal.account->id, id);
  task_runner_.tell(principal.account->id, id);
  co_return dropped;
}

}  // namespace coffer::core
