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

/// `invalid` if an item of this name cannot be made in `folder`: names like a mount's are kept for
/// mounts at the root.
Result<void> check_new_name(const Namespace& ns, const ResolvedPath& folder, std::string_view name);

/// `invalid` if `folder` does not exist and one of the folders that are missing on the way to it
/// could not be made under its name.
Task<Result<void>> check_missing_folders(const ResolvedPath& folder);

/// The names that are taken in one folder, as far as is known. What was found taken once stays so.
class TakenNames {
 public:
  void add(std::string name) { taken_.insert(std::move(name)); }
  /// `name`, or where that is taken `a (2).txt` for `a.txt` and so on; never longer than names may
  /// be. However often one is asked for, each number is looked at once.
  std::string free_name_for(const std::string& name);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_numbers_;
};

}  // namespace coffer::core
