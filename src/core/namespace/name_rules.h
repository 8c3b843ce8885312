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

/// Checks the names of the folders that have to be created for `folder` to exist: `folder` itself
/// and those above it, if they are missing. `invalid` if one of these names is not a valid Name.
Task<Result<void>> check_missing_folders(const ResolvedPath& folder);

/// The names known to be taken in one folder. Chooses names that are still free.
class TakenNames {
 public:
  void add(std::string name) { taken_.insert(std::move(name)); }
  /// Returns `name` if it is free. Otherwise returns the first free name of the form `a (2).txt`
  /// for `a.txt`, shortened to a valid length. A later call with the same `name` continues from
  /// the last number. Does not `add` the result.
  std::string free_name_for(const std::string& name);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_numbers_;
};

}  // namespace coffer::core
