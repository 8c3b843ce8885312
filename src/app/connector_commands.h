#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `coffer connector add|list|set|remove|test`.
void add_connector_commands(CLI::App& program, Action& chosen);

}  // namespace coffer::app
