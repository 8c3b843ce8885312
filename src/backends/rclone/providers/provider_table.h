#pragma once

#include <span>
#include <string_view>

#include "backends/rclone/providers/provider.h"

namespace coffer::rclone {

/// What is allowed, sorted by type. Whatever is not in it is refused.
std::span<const Provider> provider_table();

/// Null for what is not in the table.
const Provider* find_provider(std::string_view type);
const Option* find_option(const Provider& provider, std::string_view name);

}  // namespace coffer::rclone
