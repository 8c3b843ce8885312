#pragma once

#include "app/connector_context.h"

namespace coffer::app {

/// Makes a connector of the kind drive.
int add_drive(CommandContext& context);

/// Adds `providers` and `authorize` to the group of commands.
void add_drive_commands(CLI::App& group, Action& chosen);

}  // namespace coffer::app
