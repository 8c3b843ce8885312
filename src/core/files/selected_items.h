#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/selections.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Reads the items of a selection, or of a task, from the catalog, so that only a part of them is
/// in memory. Paths are relative to the root of the principal, who must be of the selection's
/// account. Not safe for concurrent calls; the selections must outlive it.
class SelectedItems {
 public:
  SelectedItems(catalog::Selections& selections, const Principal& principal, SelectionId id)
      : selections_(selections),
        account_(principal.account->id),
        scope_(principal.scope ? std::optional(*principal.scope) : std::nullopt),
        id_(std::move(id)) {}

  /// Returns the next item; nullopt behind the last one, and at once if there is no such selection.
  /// `not_found` if the item is outside of the folder that the principal is limited to.
  Task<Result<std::optional<Path>>> next();
  /// Returns the next items as the selection holds them, for `seen`; none behind the last one. Not
  /// to be mixed with `next`.
  Task<Result<std::vector<std::string>>> next_part();
  /// Returns an item as the principal sees it. Safe from any thread.
  Result<Path> seen(const std::string& item) const;
  /// Begins again with the first item.
  void restart();

 private:
  catalog::Selections& selections_;
  const AccountId account_;
  const std::optional<Path> scope_;
  const SelectionId id_;
  std::uint64_t next_part_ = 0;
  std::vector<std::string> part_;
  std::size_t next_ = 0;
};

/// Returns the error for an unknown selection.
inline std::unexpected<Error> no_such_selection() {
  return fail(ErrorCode::not_found, "There is no such selection, or it has expired.");
}

}  // namespace coffer::core
