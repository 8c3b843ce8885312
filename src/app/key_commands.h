#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `key create|list|revoke`; the chosen one is put into `chosen`.
void add_key_commands(CLI::App& program, Action& chosen);

}  // namespace coffer::app
