#include "core/archive/unpack_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "confinement/confinement.h"
#include "core/archive/unpack_program.h"

namespace coffer::core {
namespace {

constexpr int kPipeBytes = 256 * 1024;

void close_if_open(int descriptor) {
  if (descriptor >= 0) ::close(descriptor);
}

/// The ends of a pipe, which close by themselves.
struct Pipe {
  std::array<int, 2> ends{-1, -1};

  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
    // A smaller one does as well, more slowly.
    if (ends[0] >= 0) (void)::fcntl(ends[0], F_SETPIPE_SZ, kPipeBytes);
  }
  ~Pipe() {
    for (const int end : ends) close_if_open(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int take(std::size_t end) { return std::exchange(ends.at(end), -1); }
};

/// In the child, where only system calls are safe.
[[noreturn]] void become(int input, int output, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_WRONLY);
  bool fit = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
  fit = fit && ::dup2(input, 0) == 0 && ::dup2(output, 1) == 1 && ::dup2(nothing, 2) == 2;
  fit = fit && ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
  const std::array<char*, 2> arguments{const_cast<char*>(kUnpackProgram), nullptr};
  const std::array<char*, 1> environment{nullptr};
  if (fit) ::execve("/proc/self/exe", arguments.data(), environment.data());
  ::_exit(127);
}

}  // namespace

Result<UnpackProcess> UnpackProcess::start() {
  if (!confinement::Confinement::make({})) {
    return fail(
        ErrorCode::unavailable,
        "This server's machine cannot confine what unpacks archives (Landlock is missing or "
        "switched off), so it unpacks none.");
  }
  Pipe to;
  Pipe from;
  const pid_t parent = ::getpid();
  const pid_t child = to.ends[0] < 0 || from.ends[0] < 0 ? -1 : ::fork();
  if (child < 0) return fail(ErrorCode::overloaded, "No archive can be unpacked just now.");
  if (child == 0) become(to.ends[0], from.ends[1], parent);
  return UnpackProcess(child, to.take(1), from.take(0));
}

UnpackProcess::UnpackProcess(UnpackProcess&& other) noexcept
    : id_(other.id_),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)) {}

UnpackProcess::~UnpackProcess() {
  close_if_open(input_);
  close_if_open(output_);
}

int UnpackProcess::take_input() {
  return std::exchange(input_, -1);
}

int UnpackProcess::take_output() {
  return std::exchange(output_, -1);
}

void UnpackProcess::kill() const {
  ::kill(id_, SIGKILL);
}

int UnpackProcess::reap(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace coffer::core
