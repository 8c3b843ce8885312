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

/// `invalid` if an item with this name cannot be created in `folder`. Hidden names are reserved
/// everywhere. At the root, names that begin like those of mounts are reserved too.
Result<void> check_new_name(const ResolvedPath& folder, std::string_view name);

/// `invalid` if `folder` is missing, and its name or that of a missing folder above it is not a
/// valid Name.
Task<Result<void>> check_missing_folders(const ResolvedPath& folder);

/// The known names in one folder, for the choice of a free name.
class TakenNames {
 public:
  void add(std::string name) { taken_.insert(std::move(name)); }
  /// Returns `name` if it is free. Otherwise returns the first free name of the form `a (2).txt`
  /// for `a.txt`, shortened to a valid length. Repeated calls for a name do not start again at 2.
  std::string free_name_for(const std::string& name);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_numbers_;
};

}  // namespace coffer::core
