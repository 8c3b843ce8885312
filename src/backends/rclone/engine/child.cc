#include "backends/rclone/engine/child.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace coffer::rclone {
namespace {

constexpr std::size_t kLongestLineBytes = 64 * 1024;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

/// Two ends of a pipe that no program started elsewhere gets.
struct Pipe {
  int from = -1;
  int to = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) std::tie(from, to) = std::tuple(ends[0], ends[1]);
  }
  ~Pipe() {
    close(from);
    close(to);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static void close(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }
};

/// In the child, where only system calls are safe. Tells why not through `failure`.
[[noreturn]] void become(const ChildCommand& command, char* const* arguments,
                         char* const* environment, pid_t parent, int errors, int failure) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::setpgid(0, 0);  // A Ctrl-C is for the parent, which ends this one in its own time.
  bool fit = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
  const int nothing = ::open("/dev/null", O_RDWR);
  fit = fit && ::dup2(nothing, 0) == 0 && ::dup2(nothing, 1) == 1 && ::dup2(errors, 2) == 2;
  // Not every library opens with O_CLOEXEC: a connection that is also open here would not end.
  fit = fit && ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
  fit = fit && (!command.confine || command.confine());
  if (fit) ::execvpe(arguments[0], arguments, environment);
  const int error = errno;
  [[maybe_unused]] const auto told = ::write(failure, &error, sizeof error);
  ::_exit(127);
}

std::unexpected<Error> not_started(const std::string& program, int error) {
  if (error == ENOENT) {
    return fail(ErrorCode::unavailable,
                "Cloud drives need the program " + program + ", which is not installed here.");
  }
  return fail(ErrorCode::unavailable, "The program " + program + " does not start here.");
}

}  // namespace

Result<Child> Child::start(const ChildCommand& command) {
  const std::string& program = command.arguments.front();
  Pipe errors;
  Pipe failure;
  if (errors.from < 0 || failure.from < 0) return not_started(program, errno);
  const auto arguments = pointers(command.arguments);
  const auto environment = pointers(command.environment);
  const pid_t parent = ::getpid();
  const pid_t id = ::fork();
  if (id < 0) return not_started(program, errno);
  if (id == 0) {
    become(command, arguments.data(), environment.data(), parent, errors.to, failure.to);
  }
  Pipe::close(errors.to);
  Pipe::close(failure.to);
  Child child(id, std::exchange(errors.from, -1));
  int error = 0;
  // It says nothing when it has become the program.
  if (::read(failure.from, &error, sizeof error) == 0) return child;
  return not_started(program, error);
}

Child::Child(Child&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      ended_(other.ended_),
      text_(std::move(other.text_)) {}

Child::~Child() {
  if (id_ > 0) ::kill(id_, SIGKILL);
  reap();
  Pipe::close(errors_);
}

void Child::reap() {
  if (id_ <= 0) return;
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
}

std::optional<std::string> Child::take_line() {
  const auto end = text_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = text_.substr(0, end);
  text_.erase(0, end + 1);
  return line;
}

std::optional<std::string> Child::read_line(std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  for (;;) {
    if (auto line = take_line()) return line;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd watched{.fd = errors_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&watched, 1, std::max<int>(0, static_cast<int>(left.count())));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    std::array<char, 4096> bytes{};
    const auto got = ::read(errors_, bytes.data(), bytes.size());
    if (got <= 0) {
      ended_ = true;
      return std::nullopt;
    }
    if (text_.size() < kLongestLineBytes) text_.append(bytes.data(), static_cast<std::size_t>(got));
  }
}

void Child::stop(std::chrono::milliseconds patience) {
  if (id_ <= 0) return;
  ::kill(id_, SIGTERM);
  const int watched_id = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
  if (watched_id >= 0) {
    pollfd watched{.fd = watched_id, .events = POLLIN, .revents = 0};
    ::poll(&watched, 1, static_cast<int>(patience.count()));
    ::close(watched_id);
  }
  ::kill(id_, SIGKILL);
  reap();
  ended_ = true;
}

}  // namespace coffer::rclone
