#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::catalog {

class Database;

struct Selection {
  SelectionId id;
  std::uint64_t count = 0;  ///< The number of its items.
  Timestamp expires_at{};   ///< For one that waits: when it is deleted.
  Timestamp chosen_at{};    ///< When its last items were added.
};

/// Lists of items: of selections that waits to be used by a later request, and of tasks. Items are
/// paths from the account's root, or ids of items in the bin. Safe from any thread.
class Selections {
 public:
  explicit Selections(Database& database) : database_(database) {}

  static constexpr std::uint64_t kMostItems = 100'000;                    ///< Of one selection.
  static constexpr std::uint64_t kMostSelectionBytes = 32 * 1024 * 1024;  ///< Of one selection.
  /// The most that wait of one account, and the bytes that they have together.
  static constexpr std::size_t kMostWaiting = 8;
  static constexpr std::uint64_t kMostWaitingBytes = 64 * 1024 * 1024;
  /// The bytes of the items of all tasks of one account.
  static constexpr std::uint64_t kMostTaskItemBytes = 256 * 1024 * 1024;
  /// How long one waits after the last call of `add`.
  static constexpr std::chrono::minutes kKept{15};

  /// Makes a selection, or adds to the selection `to`, which must wait. `items` are paths from
  /// `folder`. Deletes the account's oldest waiting ones beyond the limits above. Errors:
  /// - `invalid` if it would have too many items or bytes;
  /// - `not_found` if there is no account, or the account has no such selection.
  Task<Result<Selection>> add(AccountId account, std::optional<SelectionId> to, std::string folder,
                              std::vector<std::string> items);
  /// Returns a part of the items, from the account's root, in the order in which they were added.
  /// The first part has the number 0; the one after the last is empty, and so is each of an unknown
  /// selection. A part has at most 1,000 items.
  Task<Result<std::vector<std::string>>> part(AccountId account, SelectionId id,
                                              std::uint64_t number);
  /// Returns the items of a task as a selection, which a restart passes on from task to task;
  /// `not_found` if they are not kept.
  Task<Result<Selection>> of_task(AccountId account, TaskId task);
  /// Deletes the selections of all accounts that wait since before `time`.
  Task<Result<void>> forget_unused(Timestamp time);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
