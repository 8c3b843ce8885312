#pragma once

#include <set>
#include <string>

namespace coffer::core {

/// `name`, or where that is taken `a (2).txt` for `a.txt` and so on; never longer than names may
/// be.
std::string free_name_for(const std::string& name, const std::set<std::string>& taken);

}  // namespace coffer::core
