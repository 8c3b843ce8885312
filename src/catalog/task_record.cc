#include "catalog/task_record.h"

namespace coffer::catalog {

std::string_view to_string(TaskKind kind) {
  switch (kind) {
    case TaskKind::copy:
      return "copy";
    case TaskKind::move:
      return "move";
    case TaskKind::remove:
      return "remove";
    case TaskKind::restore:
      return "restore";
    case TaskKind::unpack:
      return "unpack";
  }
  return {};
}

std::optional<TaskKind> task_kind_from(std::string_view text) {
  for (const auto kind :
       {TaskKind::copy, TaskKind::move, TaskKind::remove, TaskKind::restore, TaskKind::unpack}) {
    if (text == to_string(kind)) return kind;
  }
  return std::nullopt;
}

std::string_view to_string(TaskState state) {
  switch (state) {
    case TaskState::waiting:
      return "waiting";
    case TaskState::running:
      return "running";
    case TaskState::done:
      return "done";
    case TaskState::failed:
      return "failed";
    case TaskState::cancelled:
      return "cancelled";
    case TaskState::interrupted:
      return "interrupted";
  }
  return {};
}

std::optional<TaskState> task_state_from(std::string_view text) {
  for (const auto state : {TaskState::waiting, TaskState::running, TaskState::done,
                           TaskState::failed, TaskState::cancelled, TaskState::interrupted}) {
    if (text == to_string(state)) return state;
  }
  return std::nullopt;
}

}  // namespace coffer::catalog
