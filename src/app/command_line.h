#pragma once

namespace coffer::app {

/// Runs the program's command line, which names every command; the exit status: 0 if all went well,
/// 2 for a line that is wrong, 1 for any other failure.
int run_command_line(int argc, char** argv);

}  // namespace coffer::app
