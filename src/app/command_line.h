#pragma once

namespace coffer::app {

/// Runs the command that the command line names. Returns the exit status: 0 for success, 2 for a
/// wrong command line, 1 for any other failure.
int run_command_line(int argc, char** argv);

}  // namespace coffer::app
