#include "catalog/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <ranges>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/database.h"
#include "catalog/runs.h"
#include "catalog/selection_rows.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

/// The condition for tasks that have not ended.
constexpr std::string_view kIsLive = "state IN ('running', 'waiting')";

/// The condition for tasks whose items are all over.
constexpr std::string_view kIsOver = "source_count > 0 AND sources_done >= source_count";

std::vector<std::string> lines_of(std::string_view all) {
  std::vector<std::string> found;
  for (std::size_t end = all.find('\n'); end != all.npos; end = all.find('\n')) {
    found.emplace_back(all.substr(0, end));
    all.remove_prefix(end + 1);
  }
  return found;
}

/// As many of the first texts as a row may have, a line each (paths have no control characters): a
/// row is written several times a second, and a list reads many.
struct FirstLines {
  static std::string to(const std::vector<std::string>& texts) {
    constexpr std::size_t kMostTexts = 100;
    constexpr std::size_t kMostBytes = 4 * 1024;
    std::string all;
    for (const std::string& text : texts | std::views::take(kMostTexts)) {
      if (all.size() + text.size() >= kMostBytes) break;
      all += text + '\n';
    }
    return all;
  }
  static std::vector<std::string> from(const sql::Value& all) {
    return lines_of(sql::text_of(all));
  }
};

/// The word of an enumerator; empty for nullopt. An unknown word becomes nullopt.
template <HasWords E>
struct WordOrEmpty {
  static std::string to(std::optional<E> value) {
    return value ? std::string(word_of(*value)) : std::string();
  }
  static std::optional<E> from(const sql::Value& word) { return enum_from<E>(sql::text_of(word)); }
};

/// Returns nullopt for an unknown text.
std::optional<ErrorCode> error_code_from(std::string_view text) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::in_doubt); ++code) {
    if (to_string(static_cast<ErrorCode>(code)) == text) return static_cast<ErrorCode>(code);
  }
  return std::nullopt;
}

struct CodeOrEmpty {
  static std::string to(std::optional<ErrorCode> code) {
    return code ? std::string(to_string(*code)) : std::string();
  }
  static std::optional<ErrorCode> from(const sql::Value& text) {
    return error_code_from(sql::text_of(text));
  }
};

/// Reads a line of SkippedLines; those of earlier versions have no code.
SkippedItem skipped_item_of(std::string_view line) {
  const std::size_t reason = line.find('\t') + 1;
  const std::size_t code = line.find('\t', reason);
  SkippedItem item;
  item.path = line.substr(0, reason - 1);
  item.reason = line.substr(reason, code - reason);
  if (code != line.npos) item.code = error_code_from(line.substr(code + 1));
  return item;
}

/// A line for each item: path, reason and code, separated by tabs.
struct SkippedLines {
  static std::string to(const std::vector<SkippedItem>& items) {
    std::string all;
    for (const SkippedItem& item : items) {
      all += item.path + '\t' + item.reason + '\t' + CodeOrEmpty::to(item.code) + '\n';
    }
    return all;
  }
  static std::vector<SkippedItem> from(const sql::Value& all) {
    std::vector<SkippedItem> items;
    for (const std::string& line : lines_of(sql::text_of(all))) {
      items.push_back(skipped_item_of(line));
    }
    return items;
  }
};

}  // namespace
}  // namespace coffer::catalog

namespace coffer::sql {

template <>
struct Table<catalog::TaskRecord> {
  using Record = catalog::TaskRecord;
  static constexpr std::string_view kName = "tasks";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &Record::id},
      Column{"account_id", &Record::account},
      Column{"kind", &Record::kind},
      Column{"from_path", &Record::from},
      Column{"to_path", &Record::to},
      Column{"state", &Record::state},
      Column{"bytes_done", &Record::bytes_done},
      Column{"bytes_total", &Record::bytes_total},
      Column{"items_done", &Record::items_done},
      Column{"items_total", &Record::items_total},
      Column{"error", &Record::error},
      Column{"left_over", &Record::orphan},
      Column{"created_at", &Record::created_at},
      Column{"updated_at", &Record::updated_at},
      Column{"sources", &Record::sources, catalog::FirstLines()},
      Column{"on_conflict", &Record::on_conflict, catalog::WordOrEmpty<catalog::OnConflict>()},
      Column{"bytes_per_second", &Record::bytes_per_second},
      Column{"skipped_count", &Record::skipped_count},
      Column{"skipped", &Record::skipped, catalog::SkippedLines()},
      Column{"error_code", &Record::error_code, catalog::CodeOrEmpty()},
      Column{"source_count", &Record::source_count},
      Column{"source_root", &Record::source_root},
      Column{"sources_done", &Record::sources_done},
      Column{"permanent", &Record::permanent},
      Column{"character_set", &Record::character_set, catalog::WordOrEmpty<CharacterSet>()}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

std::unexpected<Error> no_such_task() {
  return fail(ErrorCode::not_found, "There is no such task.");
}

/// Returns how many tasks of the account have not ended; nullopt if the task `id` is known already.
std::optional<std::size_t> count_live(sql::Connection& sql, const TaskId& id, AccountId account) {
  static const std::string kText = fmt::format(
      "SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM tasks WHERE id = $1) THEN "
      "(SELECT count(*) FROM tasks WHERE account_id = $2 AND {}) END",
      kIsLive);
  return sql.first(kText, id, account).value().get<std::optional<std::size_t>>(0);
}

Result<void> check_live(const NewTask& task, std::size_t live) {
  if (!task.most_live || live < *task.most_live) return {};
  return fail(ErrorCode::rate_limited,
              "The account has too many tasks under way: wait for some, or stop them.");
}

/// Drops the oldest ended tasks. One that left an unfinished item is hidden, until the item is
/// removed or too many are hidden.
void drop_oldest(sql::Connection& sql, AccountId account) {
  const auto beyond = [](std::string_view is_forgotten) {
    return fmt::format(
        "account_id = $1 AND is_forgotten = {0} AND NOT ({1}) AND id NOT IN (SELECT id FROM "
        "tasks WHERE account_id = $1 AND is_forgotten = {0} AND NOT ({1}) "
        "ORDER BY created_at DESC, id DESC LIMIT $2)",
        is_forgotten, kIsLive);
  };
  const std::string listed = beyond("0");
  sql.run("DELETE FROM tasks WHERE left_over = '' AND " + listed, account, kMostEndedTasks);
  sql.run("UPDATE tasks SET is_forgotten = 1, sources = '', skipped = '' WHERE " + listed, account,
          kMostEndedTasks);
  sql.run("DELETE FROM tasks WHERE " + beyond("1"), account, kMostLeftTasks);
  sql.run(
      "DELETE FROM selections WHERE account_id = $1 AND task_id IN (SELECT id FROM tasks "
      "WHERE account_id = $1 AND is_forgotten = 1)",
      account);
}

/// Returns a task in the account's list.
Result<TaskRecord> select_task(sql::Connection& sql, AccountId account, const TaskId& id) {
  static const std::string kText = "SELECT " + sql::columns<TaskRecord>() +
                                   " FROM tasks WHERE id = $1 AND account_id = $2 AND "
                                   "is_forgotten = 0";
  auto task = sql::select_first<TaskRecord>(sql, kText, id, account);
  if (!task) return no_such_task();
  return *std::move(task);
}

Result<void> upsert_task(sql::Connection& sql, const TaskId& id, const NewTask& task,
                         const std::string& node) {
  const auto changed = sql.change(
      "INSERT INTO tasks (id, account_id, kind, from_path, to_path, state, bytes_done, "
      "bytes_total, items_done, items_total, error, left_over, created_at, updated_at, sources, "
      "source_root, on_conflict, character_set, run) SELECT $1, id, $2, $3, $4, $5, 0, 0, 0, 0, "
      "'', $6, $7, $7, $8, $9, $10, $11, CAST($13 AS TEXT) FROM accounts WHERE id = $12 "
      "ON CONFLICT (id) DO UPDATE SET "
      "left_over = excluded.left_over, state = CASE WHEN tasks.state = 'waiting' "
      "THEN excluded.state ELSE tasks.state END, updated_at = excluded.updated_at",
      id, task.kind, task.from, task.to, task.state, task.orphan, now(),
      FirstLines::to(task.sources), task.source_root, WordOrEmpty<OnConflict>::to(task.on_conflict),
      WordOrEmpty<CharacterSet>::to(task.character_set), task.account, node);
  if (changed == 0) return no_such_account();
  return {};
}

/// Deletes a task that has ended, or hides it if it left an unfinished item.
void drop_task(sql::Connection& sql, const TaskId& id) {
  sql.run(fmt::format("DELETE FROM tasks WHERE id = $1 AND left_over = '' AND NOT ({})", kIsLive),
          id);
  sql.run(fmt::format("UPDATE tasks SET is_forgotten = 1 WHERE id = $1 AND NOT ({})", kIsLive), id);
  sql.run(
      "DELETE FROM selections WHERE task_id IN (SELECT id FROM tasks WHERE id = $1 AND "
      "is_forgotten = 1)",
      id);
}

/// Returns the number of items.
Result<std::uint64_t> take_over(sql::Connection& sql, const TaskId& id, const NewTask& task) {
  const auto interrupted = select_task(sql, task.account, *task.restarts);
  const bool is_right = interrupted && interrupted->state == TaskState::interrupted;
  if (!is_right || !pass_to_task(sql, *task.restarts, id)) {
    return fail(ErrorCode::conflict, "The task cannot be started again.");
  }
  drop_task(sql, *task.restarts);
  return interrupted->source_count;
}

Result<void> store_items(sql::Connection& sql, const TaskId& id, const NewTask& task) {
  if (task.items.empty() && !task.selection && !task.restarts) return {};
  std::uint64_t count = task.items.size();
  if (task.selection) {
    TRY(count, give_to_task(sql, task.account, *task.selection, id));
  } else if (task.restarts) {
    TRY(count, take_over(sql, id, task));
  } else {
    insert_for_task(sql, task.account, id, task.items);
  }
  sql.run("UPDATE tasks SET source_count = $1, sources_done = $2, permanent = $3 WHERE id = $4",
          count, task.sources_done, task.permanent, id);
  return check_items_of_tasks(sql, task.account);
}

/// `live` is the result of count_live.
Result<void> insert_task(sql::Connection& sql, const TaskId& id, const NewTask& task,
                         const std::string& node, std::size_t live) {
  TRY_VOID(check_live(task, live));
  drop_oldest(sql, task.account);
  TRY_VOID(upsert_task(sql, id, task, node));
  return store_items(sql, id, task);
}

/// Returns true if the task must stop.
Result<bool> update_task(sql::Connection& sql, const TaskId& id, const Progress& progress) {
  static const std::string kText = fmt::format(
      "UPDATE tasks SET bytes_done = $1, bytes_total = $2, items_done = $3, items_total = $4, "
      "bytes_per_second = $5, skipped_count = $6, sources_done = $7, "
      "skipped = CASE WHEN CAST($8 AS TEXT) = '' THEN skipped ELSE $8 END, updated_at = $9 "
      "WHERE id = $10 AND {} RETURNING stop_wanted",
      kIsLive);
  const auto stop_wanted =
      sql.value<bool>(kText, progress.bytes_done, progress.bytes_total, progress.items_done,
                      progress.items_total, progress.bytes_per_second, progress.skipped_count,
                      progress.sources_done, SkippedLines::to(progress.skipped), now(), id);
  if (!stop_wanted) return no_such_task();
  return *stop_wanted;
}

Result<void> finish_task(sql::Connection& sql, const TaskId& id, const TaskEnd& end) {
  TRY([[maybe_unused]] const bool stop_wanted, update_task(sql, id, end.progress));
  sql.run(
      "UPDATE tasks SET state = $1, error = $2, error_code = $3, "
      "left_over = CASE WHEN CAST($1 AS TEXT) = 'done' THEN '' ELSE left_over END WHERE id = $4",
      end.state, end.error, CodeOrEmpty::to(end.error_code), id);
  if (end.state != TaskState::interrupted) drop_items_of(sql, id);
  return {};
}

constexpr std::chrono::milliseconds kFirstDelay{50};
/// Each failed try doubles the delay, up to this.
constexpr std::chrono::milliseconds kLongestDelay{2000};

}  // namespace

/// Ends of tasks that could not be written when they came. They are written as soon as possible; if
/// the program ends before, the next start marks their tasks as interrupted. Safe from any thread.
class OwedTaskEnds {
 public:
  /// Writes one end in a transaction; `not_found` if the task does not run any more.
  using Write = Result<void> (*)(sql::Connection&, const TaskId&, const TaskEnd&);
  OwedTaskEnds(Database& database, Write write) : database_(database), write_(write) {}
  /// Waits for the end of the last try.
  ~OwedTaskEnds();

  void add(TaskId id, TaskEnd end);

 private:
  struct Owed {
    TaskId id;
    TaskEnd end;
  };
  void try_after(std::chrono::milliseconds delay);
  bool write_all();
  bool write_one(const Owed& owed);

  Database& database_;
  const Write write_;
  std::mutex mutex_;
  std::vector<Owed> owed_;
  std::atomic<bool> is_due_ = false;
  std::atomic<int> tries_ = 0;  ///< Those due or running.
  std::atomic<bool> is_ending_ = false;
};

OwedTaskEnds::~OwedTaskEnds() {
  is_ending_ = true;
  for (int left = tries_; left != 0; left = tries_) tries_.wait(left);
}

void OwedTaskEnds::add(TaskId id, TaskEnd end) {
  {
    const std::lock_guard lock(mutex_);
    owed_.push_back({std::move(id), std::move(end)});
  }
  try_after(kFirstDelay);
}

void OwedTaskEnds::try_after(std::chrono::milliseconds delay) {
  if (is_ending_ || database_.is_taken_over() || is_due_.exchange(true)) return;
  ++tries_;
  database_.post_after(Lane::write, Turn::server(), delay, [this, delay] {
    is_due_ = false;
    if (!write_all()) try_after(std::min(2 * delay, kLongestDelay));
    --tries_;
    tries_.notify_all();
  });
}

bool OwedTaskEnds::write_all() {
  std::vector<Owed> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(owed_);
  }
  const auto left = std::ranges::remove_if(all, [this](const Owed& one) { return write_one(one); });
  all.erase(left.begin(), left.end());
  const std::lock_guard lock(mutex_);
  std::ranges::move(all, std::back_inserter(owed_));
  return owed_.empty();
}

bool OwedTaskEnds::write_one(const Owed& owed) {
  auto job = [&](sql::Connection& sql) { return write_(sql, owed.id, owed.end); };
  const auto written = database_.run_here(Lane::write, job);
  return written || written.error().code == ErrorCode::not_found;
}

Tasks::Tasks(Database& database)
    : database_(database), owed_(std::make_unique<OwedTaskEnds>(database, finish_task)) {}

Tasks::~Tasks() = default;

TaskId Tasks::new_id() {
  return {random_hex(16)};
}

// Durable, since an unfinished item without a note would stay for good.
Task<Result<void>> Tasks::note(TaskId id, NewTask task) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    const auto live = count_live(sql, id, task.account);
    const std::string& node = database_.node();
    return live ? insert_task(sql, id, task, node, *live) : upsert_task(sql, id, task, node);
  };
  co_return co_await database_.run(Lane::write, task.account, std::move(job));
}

Task<Result<bool>> Tasks::report(Turn turn, TaskId id, Progress progress) {
  auto job = [&](sql::Connection& sql) { return update_task(sql, id, progress); };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<void>> Tasks::stop(AccountId account, TaskId id) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    const auto changed =
        sql.change(fmt::format("UPDATE tasks SET stop_wanted = 1 WHERE id = $1 AND "
                               "account_id = $2 AND is_forgotten = 0 AND {}",
                               kIsLive),
                   id, account);
    if (changed > 0) return {};
    TRY([[maybe_unused]] const auto task, select_task(sql, account, id));
    return fail(ErrorCode::conflict, "The task has ended already.");
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> Tasks::end(Turn turn, TaskId id, TaskEnd end) {
  const bool is_end = end.state != TaskState::running && end.state != TaskState::waiting;
  if (!is_end) throw std::logic_error("A task cannot end and run.");
  auto job = [&](sql::Connection& sql) { return finish_task(sql, id, end); };
  auto ended = co_await database_.run(Lane::write, turn, std::move(job));
  if (ended || ended.error().code == ErrorCode::not_found) co_return ended;
  owed_->add(std::move(id), std::move(end));
  co_return Result<void>{};
}

Task<Result<TaskRecord>> Tasks::find(AccountId account, TaskId id) {
  auto job = [&](sql::Connection& sql) -> Result<TaskRecord> {
    return select_task(sql, account, id);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::list(AccountId account) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<TaskRecord>> {
    static const std::string kText = "SELECT " + sql::columns<TaskRecord>() +
                                     " FROM tasks WHERE account_id = $1 AND is_forgotten = 0 "
                                     "ORDER BY created_at DESC, id DESC LIMIT $2";
    return sql::select<TaskRecord>(sql, kText, account, kLongestList);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::interrupt_ended() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<TaskRecord>> {
    static const std::string kLeft = fmt::format("{} AND {}", kIsLive, kIsOfEndedRun);
    const Timestamp updated_at = now();
    // Of an item that is over nothing is left, but its name may still be noted as an orphan.
    sql.run(fmt::format(
        "DELETE FROM selections WHERE task_id IN (SELECT id FROM tasks WHERE {} AND {})", kIsOver,
        kLeft));
    sql.run(fmt::format("UPDATE tasks SET state = 'done', updated_at = $1 WHERE {} AND {}", kIsOver,
                        kLeft),
            updated_at);
    auto tasks =
        sql::select<TaskRecord>(sql, fmt::format("SELECT {} FROM tasks WHERE {} ORDER BY id",
                                                 sql::columns<TaskRecord>(), kLeft));
    for (TaskRecord& task : tasks) task.state = TaskState::interrupted;
    sql.run(fmt::format("UPDATE tasks SET state = 'interrupted', updated_at = $1 WHERE {}", kLeft),
            updated_at);
    return tasks;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::orphans(std::optional<AccountId> account) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<TaskRecord>> {
    static const std::string kText = fmt::format(
        "SELECT {} FROM tasks WHERE NOT ({}) AND left_over <> '' AND "
        "($1 = 1 OR account_id = $2) ORDER BY id",
        sql::columns<TaskRecord>(), kIsLive);
    return sql::select<TaskRecord>(sql, kText, !account, account.value_or(AccountId()));
  };
  co_return co_await database_.run(Lane::read, account ? Turn(*account) : Turn::server(),
                                   std::move(job));
}

Task<Result<void>> Tasks::clear_orphan(Turn turn, TaskId id) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    const auto changed = sql.change("UPDATE tasks SET left_over = '' WHERE id = $1", id);
    if (changed == 0) return no_such_task();
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Tasks::drop(Turn turn, TaskId id) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    drop_task(sql, id);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<std::set<std::string>>> Tasks::of_ended_runs(std::set<std::string> partial_tags) {
  auto job = [&](sql::Connection& sql) -> Result<std::set<std::string>> {
    return ended_of(sql, partial_tags);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> Tasks::forget_older_than(Timestamp time) {
  auto job = [time](sql::Connection& sql) -> Result<void> {
    sql.run(fmt::format("DELETE FROM tasks WHERE updated_at < $1 AND NOT ({})", kIsLive), time);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
