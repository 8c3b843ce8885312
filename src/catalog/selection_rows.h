#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/id.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

// The rows of Selections. Call these in a writing transaction.

/// Appends items to a selection, in parts. Each is a path from `folder`, which is one from the
/// account's root. Returns the bytes that they take.
std::uint64_t insert_parts(sql::Connection& sql, const SelectionId& id, const std::string& folder,
                           const std::vector<std::string>& items);

/// Gives a selection that waits to a task, which from then on owns it. Returns the number of its
/// items. `not_found` if the account has no such selection, or another task has it.
Result<std::uint64_t> give_to_task(sql::Connection& sql, AccountId account, const SelectionId& id,
                                   const TaskId& task);

/// Stores the items of a task, paths from the account's root, under the task's own id.
void insert_for_task(sql::Connection& sql, AccountId account, const TaskId& task,
                     const std::vector<std::string>& items);

/// Gives the items of a task to another one. Returns false if it has none.
bool pass_to_task(sql::Connection& sql, const TaskId& from, const TaskId& to);

/// Deletes the items of a task.
void drop_items_of(sql::Connection& sql, const TaskId& task);

/// Makes room for the items of a task that was just stored: if those of all the account's tasks
/// take too much, deletes those of ended ones. `rate_limited` if that is not enough.
Result<void> check_items_of_tasks(sql::Connection& sql, AccountId account);

}  // namespace coffer::catalog
