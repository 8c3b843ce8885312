#pragma once

#include "app/command.h"

namespace coffer::app {

/// Adds `serve`, which runs the server until SIGTERM or SIGINT.
void add_serve_command(CLI::App& program, Action& chosen);

}  // namespace coffer::app
