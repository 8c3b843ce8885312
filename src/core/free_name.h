#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

namespace coffer::core {

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
