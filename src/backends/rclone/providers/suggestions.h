#pragma once

#include <string_view>

#include "backends/rclone/providers/provider_table.h"
#include "base/error.h"

/// What is said of a name that is not in the table: what may have been meant by it. Nothing is
/// repeated that a mistaken value could hide in.
namespace coffer::rclone {

std::unexpected<Error> unknown_type(std::string_view type);
std::unexpected<Error> unknown_option(const Provider& provider, std::string_view name);

}  // namespace coffer::rclone
