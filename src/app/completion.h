#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/command_tree.h"

namespace coffer::app {

enum class Shell : std::uint8_t { bash, zsh, fish };
std::optional<Shell> shell_from(std::string_view name);

/// A script by which the shell completes the program's commands, options and their values.
std::string completion_for(Shell shell, const CommandWords& program);

}  // namespace coffer::app
