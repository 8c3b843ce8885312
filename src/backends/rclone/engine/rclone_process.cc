#include "backends/rclone/engine/rclone_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <system_error>
#include <utility>

#include "async/run.h"
#include "backends/rclone/engine/basic_authorization.h"
#include "backends/rclone/engine/remote_control.h"
#include "base/child_process.h"
#include "base/random.h"

namespace coffer::rclone {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLongestLineBytes = 64 * 1024;

/// rclone keeps what a server answers, however long that is: a hostile one ends the engine, which
/// starts anew, and not this machine. Without such servers it takes some 50 MB, and as much more
/// for a listing of 50,000 items. It gets an eighth of the machine's memory, within these bounds.
constexpr std::uint64_t kLeastEngineBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostEngineBytes = std::uint64_t{1} << 30;

std::uint64_t engine_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return kMostEngineBytes;
  const auto memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  return std::clamp(memory / 8, kLeastEngineBytes, kMostEngineBytes);
}

bool limit_memory(std::uint64_t bytes) {
  const rlimit limits{bytes, bytes};
  return bytes == 0 || ::setrlimit(RLIMIT_DATA, &limits) == 0;
}

/// In the child, where only system calls are safe. Tells why not through `failure`.
[[noreturn]] void become(const ChildCommand& command, char* const* arguments,
                         char* const* environment, pid_t parent, int errors, int failure) {
  const bool fit = prepare_child(parent, -1, -1, errors) && limit_memory(command.memory_bytes);
  if (fit && (!command.confine || command.confine())) {
    ::execvpe(arguments[0], arguments, environment);
  }
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

constexpr std::string_view kUser = "coffer";
constexpr auto kStartWithin = 20s;
constexpr auto kReplyWithin = 10s;
constexpr auto kLookEvery = 200ms;
constexpr auto kCheckEvery = 30s;
constexpr auto kEndWithin = 3s;
/// An engine that ran so long does not die again and again.
constexpr auto kLongLife = 60s;
constexpr auto kFirstPause = 250ms;
constexpr auto kLongestPause = 30s;
/// A caller waits this long for the next start, and is refused if it takes longer.
constexpr auto kPauseToWaitFor = 3s;
constexpr int kLeastMinor = 60;  // Of 1.x.

/// The port of `… Serving remote control on http://127.0.0.1:PORT/`.
std::optional<std::uint16_t> port_in(std::string_view line) {
  constexpr std::string_view kBefore = "http://127.0.0.1:";
  if (!line.contains("emote control")) return std::nullopt;
  const auto at = line.find(kBefore);
  if (at == line.npos) return std::nullopt;
  const std::string_view rest = line.substr(at + kBefore.size());
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), port);
  if (error != std::errc() || port == 0) return std::nullopt;
  return port;
}

/// Parses `v1.60.1-DEV`.
bool is_new_enough(std::string_view version) {
  if (!version.starts_with("v1.")) return version.starts_with('v') && version.size() > 1;
  int minor = 0;
  std::from_chars(version.data() + 3, version.data() + version.size(), minor);
  return minor >= kLeastMinor;
}

std::unexpected<Error> away(std::string message) {
  return fail(ErrorCode::unavailable, std::move(message));
}

Error just_ended() {
  return {ErrorCode::unavailable, "The cloud drive engine has just stopped."};
}

/// An answer, for a thread that may wait for it. Fails with `failed` where this program cannot even
/// ask, for want of descriptors maybe.
Result<boost::json::object> ask(const RcloneInstance& run, std::string_view method) {
  try {
    return coffer::run(call(run, method, {}, kReplyWithin));
  } catch (const std::exception& error) {
    spdlog::warn("no request could be sent to the cloud drive engine: {}", error.what());
    return fail(ErrorCode::failed, "This server cannot send requests to the cloud drive engine.");
  }
}

}  // namespace

Result<Child> Child::start(ChildCommand command) {
  const std::string& program = command.arguments.front();
  Pipe errors;
  Pipe failure;
  if (!errors.is_open() || !failure.is_open()) return not_started(program, errno);
  const auto arguments = pointers(command.arguments);
  const auto environment = pointers(command.environment);
  const pid_t parent = ::getpid();
  const pid_t id = ::fork();
  if (id < 0) return not_started(program, errno);
  if (id == 0) {
    become(command, arguments.data(), environment.data(), parent, errors.to(), failure.to());
  }
  errors.close_to();
  failure.close_to();
  Child child(id, errors.take_from());
  int error = 0;
  // The pipe closes without a byte when the program has started.
  if (::read(failure.from(), &error, sizeof error) == 0) return child;
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
  close_if_open(errors_);
}

void Child::reap() {
  if (id_ > 0) reap_child(std::exchange(id_, -1));
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

RcloneProcess::RcloneProcess(RcloneOptions options)
    : options_(std::move(options)), last_(just_ended()) {}

RcloneProcess::~RcloneProcess() {
  end();
}

void RcloneProcess::request_end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wanted_.notify_all();
}

void RcloneProcess::end() {
  request_end();
  std::optional<std::jthread> keeper;
  {
    const std::lock_guard lock(mutex_);
    keeper.swap(keeper_);
  }
}

RcloneProcess::Run RcloneProcess::current() {
  const std::lock_guard lock(mutex_);
  return share_run();
}

/// With the mutex held.
RcloneProcess::Run RcloneProcess::share_run() {
  if (!run_) return nullptr;
  used_at_ = Clock::now();
  Run run = shared_run_.lock();
  if (!run || run->number != run_->number) {
    run = std::make_shared<const RcloneInstance>(*run_);
    shared_run_ = run;
  }
  return run;
}

bool RcloneProcess::retire_if_unused() {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (!shared_run_.expired()) used_at_ = now;
  if (!run_ || now - used_at_ < options_.unused_for) return false;
  run_.reset();
  return true;
}

void RcloneProcess::miss(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (run_ && run_->number == number) run_.reset();
}

bool RcloneProcess::is_running() {
  const std::lock_guard lock(mutex_);
  return run_.has_value();
}

bool RcloneProcess::is_used() {
  const std::lock_guard lock(mutex_);
  return !shared_run_.expired();
}

bool RcloneProcess::has_ended(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  return number <= ended_lives_;
}

bool RcloneProcess::is_missed() {
  const std::lock_guard lock(mutex_);
  return !run_;
}

bool RcloneProcess::is_ending() {
  const std::lock_guard lock(mutex_);
  return ending_;
}

Task<Result<RcloneProcess::Run>> RcloneProcess::running() {
  if (options_.obstacle) co_return std::unexpected(*options_.obstacle);
  Run run;
  bool waits = false;
  co_await suspend([&](Resume resume) {
    const std::lock_guard lock(mutex_);
    run = share_run();
    waits = !run && !ending_ && Clock::now() + kPauseToWaitFor >= not_before_;
    if (!waits) return resume();
    if (!keeper_) keeper_.emplace([this] { keep(); });
    is_wanted_ = true;
    waiting_.push_back(std::move(resume));
    wanted_.notify_all();
  });
  if (run) co_return run;
  const std::lock_guard lock(mutex_);
  if (ending_) co_return away("This server is ending.");
  if (waits) run = share_run();
  if (run) co_return run;
  co_return std::unexpected(last_);
}

/// The thread that all lives belong to, which must be one: the kernel ends them with it.
void RcloneProcess::keep() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wanted_.wait(lock, [this] { return is_wanted_ || ending_; });
      wanted_.wait_until(lock, not_before_, [this] { return ending_; });
      if (ending_) break;
    }
    serve_once();
  }
  announce(away("This server is ending."));
}

void RcloneProcess::serve_once() {
  const std::string password = random_hex(32);
  const auto begun_at = Clock::now();
  auto child = Child::start(command(password));
  const Result<RcloneInstance> run = child ? begin(*child, password) : failure_of(child);
  const bool runs = run.has_value();
  if (runs) spdlog::info("rclone serves cloud drives, process {}", child->id());
  announce(run);
  bool was_unused = false;
  if (runs) {
    was_unused = watch(*child, *run);
    if (was_unused) {
      spdlog::info("rclone, process {}, is ended, since it was not used", child->id());
    } else if (!is_ending()) {
      spdlog::warn("rclone has ended; it will be started again when it is needed");
    }
    child->stop(kEndWithin);
  }
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (runs) last_ = just_ended();
  ended_lives_ = lives_;
  const bool is_healthy = was_unused || now - begun_at >= kLongLife;
  pause_ = is_healthy ? Clock::duration{}
                      : std::clamp<Clock::duration>(2 * pause_, kFirstPause, kLongestPause);
  not_before_ = now + pause_;
  run_.reset();
}

void RcloneProcess::announce(const Result<RcloneInstance>& run) {
  std::vector<Resume> waiting;
  {
    const std::lock_guard lock(mutex_);
    is_wanted_ = false;
    if (run) {
      run_ = *run;
      used_at_ = Clock::now();
    } else {
      last_ = run.error();
    }
    waiting.swap(waiting_);
  }
  for (Resume& resume : waiting) resume();
}

Result<RcloneInstance> RcloneProcess::begin(Child& child, const std::string& password) {
  const auto until = Clock::now() + kStartWithin;
  std::optional<std::uint16_t> port;
  while (!port && !child.ended() && !is_ending() && Clock::now() < until) {
    // Other lines may hold addresses and secrets, and are not logged.
    if (const auto line = child.read_line(kLookEvery)) port = port_in(*line);
  }
  if (!port) return away("rclone, which serves cloud drives, does not start.");
  RcloneInstance run{++lives_, *port, basic_authorization(kUser, password)};
  TRY(const auto answer, ask(run, "core/version"));
  const auto* version = answer.if_contains("version");
  if (version == nullptr || !version->is_string())
    return away("rclone does not report its version.");
  const std::string_view text = version->get_string();
  if (!is_new_enough(text)) {
    return away(fmt::format("Cloud drives need rclone 1.{} or newer.", kLeastMinor));
  }
  spdlog::info("found rclone {}", text);
  return run;
}

/// Watches the engine until it ends, does not answer any more, is not used, or is to end.
bool RcloneProcess::watch(Child& child, const RcloneInstance& run) {
  auto next_check = Clock::now() + kCheckEvery;
  while (!child.ended() && !is_ending()) {
    child.read_line(kLookEvery);
    if (retire_if_unused()) return true;
    const bool missed = is_missed();
    if (!missed && Clock::now() < next_check) continue;
    const auto answer = ask(run, "rc/noop");
    if (!answer && answer.error().code != ErrorCode::failed) return false;
    if (missed) announce(run);
    next_check = Clock::now() + kCheckEvery;
  }
  return false;
}

ChildCommand RcloneProcess::command(const std::string& password) const {
  const std::filesystem::path temporary = options_.folder / "tmp";
  // If they cannot be made, rclone reports that itself, or does not need them.
  std::error_code error;
  std::filesystem::create_directories(options_.folder.parent_path(), error);
  ::mkdir(options_.folder.c_str(), S_IRWXU);
  std::filesystem::permissions(options_.folder, std::filesystem::perms::owner_all, error);
  std::filesystem::create_directories(temporary, error);
  const char* path = std::getenv("PATH");
  ChildCommand made;
  made.arguments = {options_.program,
                    "rcd",
                    "--rc-addr=127.0.0.1:0",
                    "--rc-serve",
                    "--rc-server-read-timeout=240h",
                    "--rc-server-write-timeout=240h",
                    "--config=",
                    "--cache-dir=" + (options_.folder / "cache").string(),
                    "--log-level=NOTICE",
                    "--stats=0",
                    "--ask-password=false",
                    "--use-server-modtime",
                    "--retries=1",
                    fmt::format("--low-level-retries={}", options_.patience.tries),
                    fmt::format("--contimeout={}s", options_.patience.connect.count()),
                    fmt::format("--timeout={}s", options_.patience.idle.count()),
                    "--buffer-size=1M"};
  made.environment = {fmt::format("PATH={}", path == nullptr ? "/usr/bin:/bin" : path),
                      "HOME=" + options_.folder.string(), "TMPDIR=" + temporary.string(),
                      fmt::format("RCLONE_RC_USER={}", kUser), "RCLONE_RC_PASS=" + password,
                      // There is no login as this machine: a file that is not there, and none of
                      // the addresses that tell a rented machine its keys.
                      "GOOGLE_APPLICATION_CREDENTIALS=" + (options_.folder / "nobody").string(),
                      "AWS_EC2_METADATA_DISABLED=true",
                      // Its garbage is collected in time before the limit.
                      fmt::format("GOMEMLIMIT={}", engine_bytes() / 8 * 5)};
  made.memory_bytes = engine_bytes();
  made.confine = options_.confine;
  made.environment.insert(made.environment.end(), options_.environment.begin(),
                          options_.environment.end());
  return made;
}

}  // namespace coffer::rclone
