#pragma once

#include <string>
#include <string_view>

namespace coffer {

/// The order of a listing: without regard to case, digits by their value (`file2` before `file10`).
/// Keys made once per name compare bytewise, which makes sorting large folders cheap; names with
/// equal keys are to be ordered by their bytes.
std::string natural_key(std::string_view name);

/// True if `a` comes before `b` in a listing. A strict total order on UTF-8 names.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace coffer
