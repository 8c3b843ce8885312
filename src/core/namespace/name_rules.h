#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// `invalid` if the name is reserved in `folder`. Hidden names are reserved everywhere. In the root
/// of an account or of a scope, names that begin like a mount's prefix are reserved, too.
Result<void> check_new_name(const ResolvedPath& folder, std::string_view name);

/// Call it before creating `folder` and its missing parents. Checks the names of the missing
/// folders; `invalid` if one of them is not a valid Name.
Task<Result<void>> check_missing_folders(const ResolvedPath& folder);

/// `forbidden` if an item may not go from its name because of what another account shares: where
/// things may only be added, and for a file that is shared by itself.
Result<void> check_may_leave(const ResolvedPath& place);

/// Chooses free names in one folder. A name counts as taken if it was added with `add`.
class TakenNames {
 public:
  void add(std::string name) { taken_.insert(std::move(name)); }
  /// Returns `name` if it is free. Otherwise returns the first free one of `a (2).txt`, `a (3).txt`
  /// and so on (for `a.txt`), shortened if it would be too long. The result is not added: a caller
  /// that uses the name must call `add`.
  std::string free_name_for(const std::string& name);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_numbers_;
};

}  // namespace coffer::core
