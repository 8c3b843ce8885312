#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <thread>

#include "app/command_line.h"
#include "core/archive/unpack_program.h"

namespace {

/// Threads pass blocks of file content to one another. With an arena for each of them, as glibc
/// has it, the memory of these blocks stays in all of them: three times as much was measured.
void share_memory_between_threads() {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  ::mallopt(M_ARENA_MAX, std::max(2, cores));
}

/// A stream that is closed would give its number to a file, the catalog maybe. What is then printed
/// fails, as it does where there is no space.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  share_memory_between_threads();
  // The reader of what this program writes may end at any time: that is an error of a write.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that becomes larger than the limit of this process (RLIMIT_FSIZE).
  std::signal(SIGXFSZ, SIG_IGN);
  if (argc == 1 && std::string_view(argv[0]) == coffer::core::kUnpackProgram) {
    return coffer::core::unpack_for_server();
  }
  return coffer::app::run_command_line(argc, argv);
}
