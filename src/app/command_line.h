#pragma once

namespace coffer::app {

/// Parses the command line and runs the command that it names. Returns the exit status: 0 for
/// success, 2 for a wrong command line, 1 for any other failure.
int run_command_line(int argc, char** argv);

}  // namespace coffer::app
