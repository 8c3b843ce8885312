#include "base/child_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace coffer {

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  from_ = ends[0];
  to_ = ends[1];
}

Pipe::~Pipe() {
  close_if_open(from_);
  close_to();
}

void Pipe::close_to() {
  close_if_open(take_to());
}

void close_if_open(int descriptor) {
  if (descriptor >= 0) ::close(descriptor);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

bool prepare_child(pid_t parent, int input, int output, int errors) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::setpgid(0, 0);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) return false;
  const int nothing = ::open("/dev/null", O_RDWR);
  const auto use = [nothing](int given, int as) {
    return ::dup2(given < 0 ? nothing : given, as) == as;
  };
  if (!use(input, 0) || !use(output, 1) || !use(errors, 2)) return false;
  // Some libraries do not use O_CLOEXEC: a connection that is also open here would not end.
  return ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

int reap_child(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace coffer
