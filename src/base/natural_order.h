#pragma once

#include <string>
#include <string_view>

namespace coffer {

/// Returns the sort key of a name in a listing. The order ignores case and compares numbers by
/// their value (`file2` before `file10`). Keys are compared bytewise, so that sorting a large
/// folder is cheap. If two names have equal keys, compare the names bytewise.
std::string natural_key(std::string_view name);

/// Returns true if `a` comes before `b` in a listing. This is a strict total order on UTF-8 names.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace coffer
