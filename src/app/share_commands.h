#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `coffer share add|list|set|remove|test`.
void add_share_commands(CLI::App& program, Action& chosen);

}  // namespace coffer::app
