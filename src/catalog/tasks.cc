#include "catalog/tasks.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <ranges>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/runs.h"
#include "catalog/selection_rows.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kTaskColumns =
    "id, account_id, kind, from_path, to_path, state, bytes_done, bytes_total, items_done, "
    "items_total, error, left_over, created_at, updated_at, sources, on_conflict, "
    "bytes_per_second, skipped_count, skipped, error_code, source_count, source_root, "
    "sources_done, permanent, character_set";

/// The condition for tasks that have not ended.
constexpr std::string_view kIsLive = "state IN ('running', 'waiting')";

/// The condition for tasks whose items are all over.
constexpr std::string_view kIsOver = "source_count > 0 AND sources_done >= source_count";

/// As many of the first texts as a row may have, a line each (paths have no control characters): a
/// row is written several times a second, and a list reads many.
std::string first_lines(const std::vector<std::string>& texts) {
  constexpr std::size_t kMostTexts = 100;
  constexpr std::size_t kMostBytes = 4 * 1024;
  std::string all;
  for (const std::string& text : texts | std::views::take(kMostTexts)) {
    if (all.size() + text.size() >= kMostBytes) break;
    all += text + '\n';
  }
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

/// Returns nullopt for an unknown text.
std::optional<ErrorCode> error_code_from(std::string_view text) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::failed); ++code) {
    if (to_string(static_cast<ErrorCode>(code)) == text) return static_cast<ErrorCode>(code);
  }
  return std::nullopt;
}

/// Writes a line for each item: path, reason and code, separated by tabs.
std::string text_of(const std::vector<SkippedItem>& items) {
  std::string all;
  for (const SkippedItem& item : items) {
    all += item.path + '\t' + item.reason + '\t';
    if (item.code) all += to_string(*item.code);
    all += '\n';
  }
  return all;
}

/// Reads such a line; those of earlier versions have no code.
SkippedItem skipped_item_of(std::string_view line) {
  const std::size_t reason = line.find('\t') + 1;
  const std::size_t code = line.find('\t', reason);
  SkippedItem item;
  item.path = line.substr(0, reason - 1);
  item.reason = line.substr(reason, code - reason);
  if (code != line.npos) item.code = error_code_from(line.substr(code + 1));
  return item;
}

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
  task.source_count = count(20);
  task.source_root = row.get<std::string>(21);
  task.sources_done = count(22);
  task.permanent = row.get<long long>(23) != 0;
  task.character_set = enum_from<CharacterSet>(row.get<std::string>(24));
  return task;
}

std::unexpected<Error> no_such_task() {
  return fail(ErrorCode::not_found, "There is no such task.");
}

bool is_known(soci::session& sql, const TaskId& id) {
  int count = 0;
  sql << "SELECT count(*) FROM tasks WHERE id = :id", soci::use(id.value, "id"), soci::into(count);
  return count > 0;
}

Result<void> check_live(soci::session& sql, const NewTask& task) {
  if (!task.most_live) return {};
  long long count = 0;
  sql << "SELECT count(*) FROM tasks WHERE account_id = :account AND " << kIsLive,
      soci::use(task.account.value, "account"), soci::into(count);
  if (std::cmp_less(count, *task.most_live)) return {};
  return fail(ErrorCode::rate_limited,
              "The account has too many tasks under way: wait for some, or stop them.");
}

/// Drops the oldest ended tasks. One that left an unfinished item is hidden, until the item is
/// removed or too many are hidden.
void drop_oldest(soci::session& sql, AccountId account) {
  const auto beyond = [](std::string_view is_forgotten, std::size_t most) {
    return fmt::format(
        "account_id = :account AND is_forgotten = {0} AND NOT ({1}) AND id NOT IN (SELECT id FROM "
        "tasks WHERE account_id = :account AND is_forgotten = {0} AND NOT ({1}) "
        "ORDER BY created_at DESC, id DESC LIMIT {2})",
        is_forgotten, kIsLive, most);
  };
  const std::string listed = beyond("0", kMostEndedTasks);
  sql << "DELETE FROM tasks WHERE left_over = '' AND " << listed,
      soci::use(account.value, "account");
  sql << "UPDATE tasks SET is_forgotten = 1, sources = '', skipped = '' WHERE " << listed,
      soci::use(account.value, "account");
  sql << "DELETE FROM tasks WHERE " << beyond("1", kMostLeftTasks),
      soci::use(account.value, "account");
  sql << "DELETE FROM selections WHERE account_id = :account AND task_id IN (SELECT id FROM tasks "
         "WHERE account_id = :account AND is_forgotten = 1)",
      soci::use(account.value, "account");
}

/// Returns a task in the account's list.
Result<TaskRecord> select_task(soci::session& sql, AccountId account, const TaskId& id) {
  soci::row row;
  sql << "SELECT " << kTaskColumns
      << " FROM tasks WHERE id = :id AND account_id = :account AND is_forgotten = 0",
      soci::use(id.value, "id"), soci::use(account.value, "account"), soci::into(row);
  if (!sql.got_data()) return no_such_task();
  return task_from(row);
}

Result<void> upsert_task(soci::session& sql, const TaskId& id, const NewTask& task) {
  const long long created_at = to_column(now());
  const std::string kind(word_of(task.kind));
  const std::string state(word_of(task.state));
  const std::string sources = first_lines(task.sources);
  const std::string choice(task.on_conflict ? word_of(*task.on_conflict) : "");
  const std::string set(task.character_set ? word_of(*task.character_set) : "");
  const auto changed = changed_rows(
      (sql.prepare << "INSERT INTO tasks (id, account_id, kind, from_path, to_path, state, "
                      "bytes_done, bytes_total, items_done, items_total, error, left_over, "
                      "created_at, updated_at, sources, source_root, on_conflict, character_set) "
                      "SELECT :id, id, "
                      ":kind, :from, :to, :state, 0, 0, 0, 0, '', :left_over, :created_at, "
                      ":created_at, :sources, :root, :choice, :set FROM accounts "
                      "WHERE id = :account ON CONFLICT (id) DO UPDATE SET "
                      "left_over = excluded.left_over, state = CASE WHEN tasks.state = 'waiting' "
                      "THEN excluded.state ELSE tasks.state END, updated_at = excluded.updated_at",
       soci::use(id.value, "id"), soci::use(kind, "kind"), soci::use(task.from, "from"),
       soci::use(task.to, "to"), soci::use(state, "state"), soci::use(task.orphan, "left_over"),
       soci::use(created_at, "created_at"), soci::use(sources, "sources"),
       soci::use(task.source_root, "root"), soci::use(choice, "choice"), soci::use(set, "set"),
       soci::use(task.account.value, "account")));
  if (changed == 0) return no_such_account();
  return {};
}

/// Deletes a task that has ended, or hides it if it left an unfinished item.
void drop_task(soci::session& sql, const TaskId& id) {
  sql << "DELETE FROM tasks WHERE id = :id AND left_over = '' AND NOT (" << kIsLive << ")",
      soci::use(id.value, "id");
  sql << "UPDATE tasks SET is_forgotten = 1 WHERE id = :id AND NOT (" << kIsLive << ")",
      soci::use(id.value, "id");
  sql << "DELETE FROM selections WHERE task_id IN (SELECT id FROM tasks WHERE id = :id AND "
         "is_forgotten = 1)",
      soci::use(id.value, "id");
}

/// Returns the number of items.
Result<std::uint64_t> take_over(soci::session& sql, const TaskId& id, const NewTask& task) {
  const auto interrupted = select_task(sql, task.account, *task.restarts);
  const bool is_right = interrupted && interrupted->state == TaskState::interrupted;
  if (!is_right || !pass_to_task(sql, *task.restarts, id)) {
    return fail(ErrorCode::conflict, "The task cannot be started again.");
  }
  drop_task(sql, *task.restarts);
  return interrupted->source_count;
}

Result<void> store_items(soci::session& sql, const TaskId& id, const NewTask& task) {
  if (task.items.empty() && !task.selection && !task.restarts) return {};
  std::uint64_t count = task.items.size();
  if (task.selection) {
    TRY(count, give_to_task(sql, task.account, *task.selection, id));
  } else if (task.restarts) {
    TRY(count, take_over(sql, id, task));
  } else {
    insert_for_task(sql, task.account, id, task.items);
  }
  const long long number = to_column(count);
  const long long done = to_column(task.sources_done);
  const long long permanent = task.permanent ? 1 : 0;
  sql << "UPDATE tasks SET source_count = :count, sources_done = :done, permanent = :permanent "
         "WHERE id = :id",
      soci::use(number, "count"), soci::use(done, "done"), soci::use(permanent, "permanent"),
      soci::use(id.value, "id");
  return check_items_of_tasks(sql, task.account);
}

Result<void> insert_task(soci::session& sql, const TaskId& id, const NewTask& task) {
  TRY_VOID(check_live(sql, task));
  drop_oldest(sql, task.account);
  TRY_VOID(upsert_task(sql, id, task));
  return store_items(sql, id, task);
}

Result<void> update_task(soci::session& sql, const TaskId& id, const Progress& progress) {
  const long long bytes_done = to_column(progress.bytes_done);
  const long long bytes_total = to_column(progress.bytes_total);
  const long long items_done = to_column(progress.items_done);
  const long long items_total = to_column(progress.items_total);
  const long long speed = to_column(progress.bytes_per_second);
  const long long count = to_column(progress.skipped_count);
  const long long sources_done = to_column(progress.sources_done);
  const std::string skipped = text_of(progress.skipped);
  const long long updated_at = to_column(now());
  const auto changed = changed_rows(
      (sql.prepare << "UPDATE tasks SET bytes_done = :bytes_done, bytes_total = :bytes_total, "
                      "items_done = :items_done, items_total = :items_total, "
                      "bytes_per_second = :speed, skipped_count = :count, "
                      "sources_done = :sources_done, skipped = CASE WHEN "
                      "CAST(:skipped AS TEXT) = '' THEN skipped ELSE :skipped END, "
                      "updated_at = :updated_at WHERE id = :id AND "
                   << kIsLive,
       soci::use(bytes_done, "bytes_done"), soci::use(bytes_total, "bytes_total"),
       soci::use(items_done, "items_done"), soci::use(items_total, "items_total"),
       soci::use(speed, "speed"), soci::use(count, "count"),
       soci::use(sources_done, "sources_done"), soci::use(skipped, "skipped"),
       soci::use(updated_at, "updated_at"), soci::use(id.value, "id")));
  if (changed == 0) return no_such_task();
  return {};
}

Result<void> finish_task(soci::session& sql, const TaskId& id, const TaskEnd& end) {
  TRY_VOID(update_task(sql, id, end.progress));
  const std::string state(word_of(end.state));
  const std::string code(end.error_code ? to_string(*end.error_code) : "");
  sql << "UPDATE tasks SET state = :state, error = :error, error_code = :code, "
         "left_over = CASE WHEN CAST(:state AS TEXT) = 'done' THEN '' ELSE left_over END "
         "WHERE id = :id",
      soci::use(state, "state"), soci::use(end.error, "error"), soci::use(code, "code"),
      soci::use(id.value, "id");
  if (end.state != TaskState::interrupted) drop_items_of(sql, id);
  return {};
}

constexpr std::chrono::milliseconds kFirstDelay{50};
/// Each failed try doubles the delay, up to this.
constexpr std::chrono::milliseconds kLongestDelay{2000};

std::vector<TaskRecord> live_ones(soci::session& sql) {
  return select_all((sql.prepare << "SELECT " << kTaskColumns << " FROM tasks WHERE " << kIsLive
                                 << " ORDER BY id"),
                    task_from);
}

}  // namespace

/// Ends of tasks that could not be written when they came. They are written as soon as possible; if
/// the program ends before, the next start marks their tasks as interrupted. Safe from any thread.
class OwedTaskEnds {
 public:
  /// Writes one end in a transaction; `not_found` if the task does not run any more.
  using Write = Result<void> (*)(soci::session&, const TaskId&, const TaskEnd&);
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
  auto job = [&](soci::session& sql) { return write_(sql, owed.id, owed.end); };
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
  auto job = [&](soci::session& sql) -> Result<void> {
    return is_known(sql, id) ? upsert_task(sql, id, task) : insert_task(sql, id, task);
  };
  co_return co_await database_.run(Lane::write, task.account, std::move(job));
}

Task<Result<bool>> Tasks::report(Turn turn, TaskId id, Progress progress) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    TRY_VOID(update_task(sql, id, progress));
    int is_wanted = 0;
    sql << "SELECT stop_wanted FROM tasks WHERE id = :id", soci::use(id.value, "id"),
        soci::into(is_wanted);
    return is_wanted != 0;
  };
  co_return co_await database_.run(Lane::ordered, turn, std::move(job));
}

Task<Result<void>> Tasks::stop(AccountId account, TaskId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    TRY([[maybe_unused]] const auto task, select_task(sql, account, id));
    const auto changed = changed_rows(
        (sql.prepare << "UPDATE tasks SET stop_wanted = 1 WHERE id = :id AND " << kIsLive,
         soci::use(id.value, "id")));
    if (changed > 0) return {};
    return fail(ErrorCode::conflict, "The task has ended already.");
  };
  co_return co_await database_.run(Lane::write, account, std::move(job));
}

Task<Result<void>> Tasks::end(Turn turn, TaskId id, TaskEnd end) {
  const bool is_end = end.state != TaskState::running && end.state != TaskState::waiting;
  if (!is_end) throw std::logic_error("A task cannot end and run.");
  auto job = [&](soci::session& sql) { return finish_task(sql, id, end); };
  auto ended = co_await database_.run(Lane::write, turn, std::move(job));
  if (ended || ended.error().code == ErrorCode::not_found) co_return ended;
  owed_->add(std::move(id), std::move(end));
  co_return Result<void>{};
}

Task<Result<TaskRecord>> Tasks::find(AccountId account, TaskId id) {
  auto job = [&](soci::session& sql) -> Result<TaskRecord> {
    return select_task(sql, account, id);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::list(AccountId account) {
  auto job = [&](soci::session& sql) -> Result<std::vector<TaskRecord>> {
    return select_all(
        (sql.prepare << "SELECT " << kTaskColumns
                     << " FROM tasks WHERE account_id = :account AND is_forgotten = 0 "
                        "ORDER BY created_at DESC, id DESC LIMIT "
                     << kLongestList,
         soci::use(account.value, "account")),
        task_from);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::interrupt_running() {
  auto job = [](soci::session& sql) -> Result<std::vector<TaskRecord>> {
    const long long updated_at = to_column(now());
    // Of an item that is over nothing is left, but its name may still be noted as an orphan.
    sql << "DELETE FROM selections WHERE task_id IN (SELECT id FROM tasks WHERE " << kIsOver
        << " AND " << kIsLive << ")";
    sql << "UPDATE tasks SET state = 'done', updated_at = :updated_at WHERE " << kIsOver << " AND "
        << kIsLive,
        soci::use(updated_at, "updated_at");
    auto tasks = live_ones(sql);
    for (TaskRecord& task : tasks) task.state = TaskState::interrupted;
    sql << "UPDATE tasks SET state = 'interrupted', updated_at = :updated_at WHERE " << kIsLive,
        soci::use(updated_at, "updated_at");
    return tasks;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<std::vector<TaskRecord>>> Tasks::orphans(std::optional<AccountId> account) {
  const long long account_id = account.value_or(AccountId()).value;
  const int of_all = account ? 0 : 1;
  auto job = [&](soci::session& sql) -> Result<std::vector<TaskRecord>> {
    return select_all(
        (sql.prepare
             << "SELECT " << kTaskColumns << " FROM tasks WHERE NOT (" << kIsLive
             << ") AND left_over <> '' AND (:of_all = 1 OR account_id = :account) ORDER BY id",
         soci::use(of_all, "of_all"), soci::use(account_id, "account")),
        task_from);
  };
  co_return co_await database_.run(Lane::read, account ? Turn(*account) : Turn::server(),
                                   std::move(job));
}

Task<Result<void>> Tasks::clear_orphan(Turn turn, TaskId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    const auto changed =
        changed_rows((sql.prepare << "UPDATE tasks SET left_over = '' WHERE id = :id",
                      soci::use(id.value, "id")));
    if (changed == 0) return no_such_task();
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Tasks::drop(Turn turn, TaskId id) {
  auto job = [&](soci::session& sql) -> Result<void> {
    drop_task(sql, id);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<std::set<std::string>>> Tasks::of_ended_runs(std::set<std::string> partial_tags) {
  auto job = [&](soci::session& sql) -> Result<std::set<std::string>> {
    std::set<std::string> ended;
    for (const std::string& tag : partial_tags) {
      if (has_ended(sql, tag)) ended.insert(tag);
    }
    return ended;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> Tasks::forget_older_than(Timestamp time) {
  auto job = [time](soci::session& sql) -> Result<void> {
    const long long limit = to_column(time);
    sql << "DELETE FROM tasks WHERE updated_at < :limit AND NOT (" << kIsLive << ")",
        soci::use(limit, "limit");
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
