#include "servers/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "servers/loopback.h"

namespace coffer::servers {
namespace {

constexpr int kAttempts = 5;
constexpr std::chrono::seconds kStartWithin(20);

bool accepts(std::uint16_t port) {
  const int socket = connect_to_loopback(port);
  if (socket >= 0) ::close(socket);
  return socket >= 0;
}

std::string content_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Only what is safe between fork and exec.
[[noreturn]] void become(char* const* arguments, const char* output, int input) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int out = ::open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(input, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

pid_t start(std::vector<std::string> arguments, const std::filesystem::path& output, int input) {
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const std::string file = output.string();
  const pid_t pid = ::fork();
  if (pid == 0) become(pointers.data(), file.c_str(), input);
  if (pid < 0) throw std::runtime_error("no process for " + arguments.front());
  return pid;
}

int null_input() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

}  // namespace

ServerProcess::ServerProcess(
    const std::function<std::vector<std::string>(std::uint16_t port)>& command,
    const std::filesystem::path& output) {
  std::string program;
  // Between finding a port and using it another may take it.
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    port_ = free_port();
    const auto arguments = command(port_);
    program = arguments.front();
    const int input = null_input();
    pid_ = start(arguments, output, input);
    ::close(input);
    if (wait_until_it_serves()) return;
    end();
  }
  throw std::runtime_error(program + " does not start: " + content_of(output));
}

ServerProcess::~ServerProcess() {
  end();
}

bool ServerProcess::wait_until_it_serves() const {
  const auto limit = std::chrono::steady_clock::now() + kStartWithin;
  while (std::chrono::steady_clock::now() < limit) {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == pid_) return false;
    if (accepts(port_)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void ServerProcess::end() {
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void run_program(const std::vector<std::string>& arguments, const std::filesystem::path& output,
                 const std::string& input) {
  const auto file = output.string() + ".in";
  std::ofstream(file) << input;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const pid_t pid = start(arguments, output, descriptor);
  ::close(descriptor);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(arguments.front() + " fails: " + content_of(output));
  }
}

}  // namespace coffer::servers
