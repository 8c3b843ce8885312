#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/character_set.h"
#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/on_conflict.h"

namespace coffer::catalog {

/// The kinds of tasks. `remove` moves items into the bin, or deletes them for good.
enum class TaskKind : std::uint8_t { copy, move, remove, restore, unpack };
constexpr auto words_of(TaskKind) {
  using enum TaskKind;
  return enum_words<TaskKind>({{copy, "copy"},
                               {move, "move"},
                               {remove, "remove"},
                               {restore, "restore"},
                               {unpack, "unpack"}});
}
constexpr std::string_view to_string(TaskKind kind) {
  return word_of(kind);
}

/// The states of tasks. A `waiting` task has not started: other tasks of its account run first. A
/// task is `interrupted` if the server stopped before the task ended.
enum class TaskState : std::uint8_t { waiting, running, done, failed, cancelled, interrupted };
constexpr auto words_of(TaskState) {
  using enum TaskState;
  return enum_words<TaskState>({{waiting, "waiting"},
                                {running, "running"},
                                {done, "done"},
                                {failed, "failed"},
                                {cancelled, "cancelled"},
                                {interrupted, "interrupted"}});
}
constexpr std::string_view to_string(TaskState state) {
  return word_of(state);
}

struct SkippedItem {
  std::string path;
  std::string reason;                  ///< A sentence for the task's owner.
  std::optional<ErrorCode> code = {};  ///< The reason's code; absent in records of older versions.
};

struct Progress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0 while it is unknown.
  std::uint64_t items_done = 0;
  std::uint64_t items_total = 0;  ///< 0 while it is unknown.
  std::uint64_t bytes_per_second = 0;
  std::uint64_t skipped_count = 0;
  std::uint64_t sources_done = 0;  ///< Of a batch task: how many of its items are over.
  /// The first of the skipped items. Empty if this list has not changed since the last report.
  std::vector<SkippedItem> skipped = {};
};

/// A task, with all first skipped items. Paths are virtual, as the owner sees them. A batch task
/// works on a list of items.
struct TaskRecord : Progress {
  TaskId id;
  AccountId account;
  TaskKind kind = TaskKind::copy;
  std::string from;
  std::string to;
  /// The first items of a batch task, whose target folder is `to`; all are in Selections.
  std::vector<std::string> sources;
  std::uint64_t source_count = 0;  ///< The number of all items; 0 for a task that is no batch.
  std::string source_root;         ///< The deepest folder, or the item, that all items are in.
  bool permanent = false;          ///< A deletion without the bin.
  std::optional<OnConflict> on_conflict;      ///< Only for a batch task.
  std::optional<CharacterSet> character_set;  ///< Of names in archives, if one was chosen.
  TaskState state = TaskState::running;
  std::string error;                    ///< Tells the owner why the task failed.
  std::optional<ErrorCode> error_code;  ///< The failure's code; absent in older records.
  std::string orphan;  ///< The path of the task's unfinished item at the target; empty if none.
  Timestamp created_at{};
  Timestamp updated_at{};
};

struct NewTask {
  AccountId account;
  TaskKind kind = TaskKind::copy;
  std::string from;
  std::string to;
  std::string orphan = {};
  std::string account_name = {};              ///< For the log; not stored.
  TaskState state = TaskState::running;       ///< `running` or `waiting`.
  std::optional<std::size_t> most_live = {};  ///< How many running and waiting ones there may be.
  std::vector<std::string> sources = {};      ///< The first items to show; may be shortened.
  std::string source_root = {};
  /// The items of a batch task: paths from the account's root, or ids of items in the bin. A task
  /// has these, or takes over a selection that waits, or the items of another task.
  std::vector<std::string> items = {};
  std::optional<SelectionId> selection = {};
  /// An interrupted task whose items this one takes over, of which `sources_done` are over. The
  /// interrupted one is then dropped (see Tasks::drop).
  std::optional<TaskId> restarts = {};
  std::uint64_t sources_done = 0;
  bool permanent = false;
  std::optional<OnConflict> on_conflict = {};
  std::optional<CharacterSet> character_set = {};
};

/// The end of a task. The state must not be `waiting` or `running`.
struct TaskEnd {
  TaskState state = TaskState::done;
  Progress progress = {};
  std::string error = {};
  std::optional<ErrorCode> error_code = {};
};

}  // namespace coffer::catalog
