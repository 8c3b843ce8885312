#include "backends/rclone/engine/rclone_process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "async/run.h"
#include "backends/rclone/engine/rclone_instance.h"
#include "backends/rclone/engine/remote_control.h"
#include "base/testing/scratch_folder.h"
#include "servers/loopback.h"

namespace coffer::rclone {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
namespace json = boost::json;

/// Says of itself what the test wants, however it is asked.
constexpr std::string_view kOfVersion = R"(exec python3 -c '
import http.server, sys
class Answers(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        answer = b"{{\"version\": \"{}\"}}"
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
server = http.server.HTTPServer(("127.0.0.1", 0), Answers)
print("Serving remote control on http://127.0.0.1:%d/" % server.server_port, file=sys.stderr, flush=True)
server.serve_forever()
'
)";

class EngineTest : public testing::Test {
 protected:
  RcloneOptions options(std::string program = "rclone") const {
    return {.folder = scratch_.path() / "engine", .program = std::move(program)};
  }
  /// A program of that content.
  std::string script(std::string_view content) const {
    const fs::path file = scratch_.path() / "program";
    std::ofstream(file) << "#!/bin/sh\n" << content;
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  static Result<json::object> ask(const RcloneInstance& run, std::string_view method,
                                  json::object parameters = {}) {
    return coffer::run(call(run, method, std::move(parameters), 60s));
  }
  static pid_t process_of(const RcloneInstance& run) {
    const auto answer = ask(run, "core/pid");
    return static_cast<pid_t>(answer.value().at("pid").as_int64());
  }

  static int pidfd_of(pid_t process) {
    return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  }

  ScratchFolder scratch_;
};

TEST_F(EngineTest, IsStartedOnceForMany) {
  RcloneProcess engine(options());
  EXPECT_EQ(engine.current(), nullptr);
  std::vector<std::jthread> threads;
  std::array<std::uint64_t, 8> numbers{};
  for (auto& number : numbers) {
    threads.emplace_back([&] { number = coffer::run(engine.running()).value()->number; });
  }
  threads.clear();
  for (const auto number : numbers) EXPECT_EQ(number, 1U);
}

TEST_F(EngineTest, LetsInOnlyWhoHasThePassword) {
  RcloneProcess engine(options());
  RcloneInstance run = *coffer::run(engine.running()).value();
  EXPECT_TRUE(ask(run, "rc/noop"));
  EXPECT_TRUE(ask(run, "rc/noopauth"));
  EXPECT_TRUE(ask(run, "core/version"));
  run.authorization = "Basic Y29mZmVyOmNvZmZlcg==";
  EXPECT_FALSE(ask(run, "rc/noopauth"));
  EXPECT_FALSE(ask(run, "core/version"));
}

TEST_F(EngineTest, KeepsNothingOnTheDiskAndItsFolderToItself) {
  RcloneProcess engine(options());
  const auto run = coffer::run(engine.running()).value();
  json::object remote{{"name", "drive"},
                      {"type", "webdav"},
                      {"parameters", {{"url", "http://127.0.0.1:1"}, {"pass", "very-secret"}}},
                      {"opt", {{"obscure", true}, {"nonInteractive", true}}}};
  EXPECT_TRUE(ask(*run, "config/create", std::move(remote)));
  EXPECT_TRUE(ask(*run, "config/get", {{"name", "drive"}}));
  const fs::path folder = scratch_.path() / "engine";
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  for (const auto& item : fs::recursive_directory_iterator(folder)) {
    EXPECT_TRUE(item.is_directory()) << item.path();
  }
}

TEST_F(EngineTest, IsStartedAnewWhenItDied) {
  RcloneProcess engine(options());
  const auto first = coffer::run(engine.running()).value();
  const pid_t process = process_of(*first);
  servers::end_processes({process});
  const auto lost = ask(*first, "rc/noop");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error(), kNeverReached);
  engine.miss(first->number);
  const auto second = coffer::run(engine.running());
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->number, 2U);
  EXPECT_TRUE(ask(**second, "rc/noop"));
}

TEST_F(EngineTest, EndsWhenNobodyHoldsItAndStartsAgainAtOnce) {
  RcloneOptions chosen = options();
  chosen.unused_for = 100ms;
  RcloneProcess engine(std::move(chosen));
  auto first = coffer::run(engine.running()).value();
  const pid_t process = process_of(*first);
  // These take longer than what ends it when it is not held.
  for (int call = 0; call < 1000; ++call) ASSERT_TRUE(ask(*first, "rc/noop"));
  EXPECT_EQ(engine.current(), first);
  pollfd watched{.fd = pidfd_of(process), .events = POLLIN, .revents = 0};
  first.reset();
  EXPECT_EQ(::poll(&watched, 1, 30'000), 1);
  ::close(watched.fd);
  EXPECT_EQ(engine.current(), nullptr);
  // Pauses that grow as after deaths would soon be too long to wait for.
  for (std::uint64_t number = 2; number < 8; ++number) {
    auto run = coffer::run(engine.running()).value();
    EXPECT_EQ(run->number, number);
    pollfd ending{.fd = pidfd_of(process_of(*run)), .events = POLLIN, .revents = 0};
    run.reset();
    EXPECT_EQ(::poll(&ending, 1, 30'000), 1);
    ::close(ending.fd);
  }
}

TEST_F(EngineTest, EndsWithItsOwner) {
  pid_t process = 0;
  {
    RcloneProcess engine(options());
    process = process_of(*coffer::run(engine.running()).value());
  }
  EXPECT_NE(::kill(process, 0), 0);
}

TEST_F(EngineTest, NothingStartsOnceItEnded) {
  RcloneProcess engine(options());
  const auto run = coffer::run(engine.running()).value();
  engine.end();
  EXPECT_FALSE(ask(*run, "rc/noop"));
  const auto again = coffer::run(engine.running());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::unavailable);
}

TEST_F(EngineTest, SaysThatTheProgramIsMissing) {
  RcloneProcess engine(options("no-such-rclone"));
  const auto run = coffer::run(engine.running());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::unavailable);
  EXPECT_EQ(run.error().message,
            "Cloud drives need the program no-such-rclone, which is not installed here.");
}

TEST_F(EngineTest, SaysThatTheProgramDoesNotServe) {
  RcloneProcess engine(options(script("echo nonsense >&2\nexit 1\n")));
  const auto run = coffer::run(engine.running());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "rclone, which serves cloud drives, does not start.");
}

TEST_F(EngineTest, SaysThatTheProgramIsTooOld) {
  for (const auto& [version, is_enough] : {std::pair{"v1.59.2", false},
                                           {"v1.6.0", false},

                                           {"", false},
                                           {"v1.60.0", true},
                                           {"v2.0.0", true}}) {
    RcloneProcess engine(options(script(fmt::format(kOfVersion, version))));
    const auto run = coffer::run(engine.running());
    EXPECT_EQ(run.has_value(), is_enough) << version;
    if (run) continue;
    EXPECT_EQ(run.error().code, ErrorCode::unavailable);
    EXPECT_EQ(run.error().message, "Cloud drives need rclone 1.60 or newer.") << version;
  }
}

/// Each time after a longer pause, and not at all where that would be too long to wait for.
TEST_F(EngineTest, IsLeftAloneWhenItAlwaysDies) {
  const fs::path starts = scratch_.path() / "starts";
  RcloneProcess engine(options(script("echo >> " + starts.string() + "\nexit 1\n")));
  const auto started = [&] { return fs::exists(starts) ? fs::file_size(starts) : 0; };
  constexpr int kMost = 20;
  int calls = 0;
  for (std::uintmax_t before = kMost; before != started() && calls < kMost; ++calls) {
    before = started();
    const auto run = coffer::run(engine.running());
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().message, "rclone, which serves cloud drives, does not start.");
  }
  EXPECT_GT(calls, 2);
  EXPECT_LT(calls, kMost);
}

/// It sees nothing of what this program was given.
TEST_F(EngineTest, SeesNoVariableButItsOwn) {
  ::setenv("RCLONE_DRIVE_CLIENT_SECRET", "not-for-children", 1);
  const fs::path seen = scratch_.path() / "seen";
  RcloneProcess engine(options(script("env > " + seen.string() + "\nexit 1\n")));
  EXPECT_FALSE(coffer::run(engine.running()));
  ::unsetenv("RCLONE_DRIVE_CLIENT_SECRET");
  std::ifstream file(seen);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("RCLONE_RC_PASS="), std::string::npos);
  EXPECT_EQ(text.find("not-for-children"), std::string::npos);
}

}  // namespace
}  // namespace coffer::rclone
