#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `coffer task list|cancel`.
void add_task_commands(CLI::App& program, Action& chosen);

}  // namespace coffer::app
