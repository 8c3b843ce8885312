#pragma once

#include <string>
#include <string_view>

#include "backends/rclone/providers/provider.h"

namespace coffer::rclone {

/// What is wrong with an option's value, as the end of a sentence that begins with "Give the option
/// X "; empty if nothing is. Never holds the value.
std::string fault_of(const Option& option, std::string_view value);

}  // namespace coffer::rclone
