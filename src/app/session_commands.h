#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `coffer session list|end`.
void add_session_commands(CLI::App& program, Action& chosen);

}  // namespace coffer::app
