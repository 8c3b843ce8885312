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

/// `invalid` if an item of this name cannot be created in `folder`: hidden names, and at the root
/// names of mounts, are reserved.
Result<void> check_new_name(const ResolvedPath& folder, std::string_view name);

/// `invalid` if `folder` is missing and the name of one of its missing parents is invalid.
Task<Result<void>> check_missing_folders(const ResolvedPath& folder);

/// The known names in one folder, to find a free one.
class TakenNames {
 public:
  void add(std::string name) { taken_.insert(std::move(name)); }
  /// Returns `name`, or if that is taken `a (2).txt` for `a.txt` and so on, shortened to a valid
  /// length. Tries each number once over all calls.
  std::string free_name_for(const std::string& name);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_numbers_;
};

}  // namespace coffer::core
