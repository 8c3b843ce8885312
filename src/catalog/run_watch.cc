#include "catalog/run_watch.h"

#include <utility>

#include "catalog/database.h"
#include "catalog/runs.h"
#include "sql/connection.h"

namespace coffer::catalog {

Task<int> RunWatch::look(std::chrono::steady_clock::time_point now) {
  if (!database_.is_shared()) co_return 0;
  // The others may not reach the database either, or may have stood still as this server did.
  if (now - std::exchange(last_look_, now) > 3 * kPeriod) seen_.clear();
  auto found = co_await beat();
  if (!found) {
    seen_.clear();
    co_return 0;
  }
  int ended = 0;
  for (auto& [node, run] : *found) {
    const auto before = seen_.find(node);
    const bool is_silent = before != seen_.end() && before->second.beats == run.beats;
    run.since = is_silent ? before->second.since : now;
    if (now - run.since < kSilence) continue;
    const auto has_ended = co_await end(node, run.beats);
    if (has_ended && *has_ended) ++ended;  // After a failure the next look tries again.
  }
  seen_ = *std::move(found);
  co_return ended;
}

Task<Result<RunWatch::SeenRuns>> RunWatch::beat() {
  auto job = [this](sql::Connection& sql) -> Result<SeenRuns> {
    sql.run("UPDATE runs SET beats = beats + 1 WHERE node = $1", database_.node());
    SeenRuns runs;
    for (const sql::Row& row :
         sql.query("SELECT node, beats FROM runs WHERE node <> $1", database_.node())) {
      runs[row.get<std::string>(0)].beats = row.get<std::int64_t>(1);
    }
    return runs;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<bool>> RunWatch::end(std::string node, std::int64_t beats) {
  auto job = [&](sql::Connection& sql) -> Result<bool> { return end_dead_run(sql, node, beats); };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
