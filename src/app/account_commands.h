#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `account add|list|set|remove`; the chosen one is put into `chosen`.
void add_account_commands(CLI::App& program, Action& chosen);

}  // namespace coffer::app
