#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `check`, which recounts the quota and holds the catalog against the disk.
void add_check_command(CLI::App& program, Action& chosen);

}  // namespace coffer::app
