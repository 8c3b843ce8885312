#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/on_conflict.h"

namespace coffer::catalog {

/// `remove` is deleting, into the bin or for good.
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

/// `waiting` is for others of the same account that run.
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

/// An item that a task skipped.
struct SkippedItem {
  std::string path;
  std::string reason;                  ///< For the owner.
  std::optional<ErrorCode> code = {};  ///< The same for programs; not of those of before.
};

/// How far a task is.
struct Progress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0 as long as it is not known.
  std::uint64_t items_done = 0;
  std::uint64_t items_total = 0;  ///< Likewise.
  std::uint64_t bytes_per_second = 0;
  std::uint64_t skipped_count = 0;
  /// The first of them; empty where they are the same as when this was noted last.
  std::vector<SkippedItem> skipped = {};
};

/// A piece of long work. Paths are virtual, as the owner sees them.
struct TaskRecord {
  TaskId id;
  AccountId account;
  TaskKind kind = TaskKind::copy;
  std::string from;
  std::string to;
  std::vector<std::string> sources;       ///< Of one on several items into the folder `to`.
  std::optional<OnConflict> on_conflict;  ///< Likewise.
  TaskState state = TaskState::running;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0 as long as it is not known.
  std::uint64_t items_done = 0;
  std::uint64_t items_total = 0;  ///< Likewise.
  std::uint64_t bytes_per_second = 0;
  std::uint64_t skipped_count = 0;
  std::vector<SkippedItem> skipped;     ///< The first of them.
  std::string error;                    ///< Why it failed, for the owner; empty otherwise.
  std::optional<ErrorCode> error_code;  ///< The same for programs; not of those of before.
  std::string orphan;  ///< The unfinished item at the destination; empty if there is none.
  Timestamp created_at{};
  Timestamp updated_at{};
};

struct NewTask {
  AccountId account;
  TaskKind kind = TaskKind::copy;
  std::string from;
  std::string to;
  std::string orphan = {};
  std::string account_name = {};         ///< For the log; it is not stored.
  TaskState state = TaskState::running;  ///< Or `waiting`.
  std::vector<std::string> sources = {};
  std::optional<OnConflict> on_conflict = {};
};

/// How a task ended: in any state but the first two.
struct TaskEnd {
  TaskState state = TaskState::done;
  Progress progress = {};
  std::string error = {};
  std::optional<ErrorCode> error_code = {};
};

}  // namespace coffer::catalog
