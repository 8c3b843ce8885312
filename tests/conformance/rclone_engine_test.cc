#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "async/run.h"
#include "backends/rclone/engine.h"
#include "backends/rclone/remote_control.h"
#include "servers/scratch.h"

namespace coffer::rclone {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
namespace json = boost::json;

class EngineTest : public testing::Test {
 protected:
  EngineOptions options(std::string program = "rclone") const {
    return {.folder = scratch_.path() / "engine", .program = std::move(program)};
  }
  /// A program of that content.
  std::string script(std::string_view content) const {
    const fs::path file = scratch_.path() / "program";
    std::ofstream(file) << "#!/bin/sh\n" << content;
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  static Result<json::object> ask(const EngineRun& run, std::string_view method,
                                  json::object parameters = {}) {
    return coffer::run(call(run, method, std::move(parameters), 10s));
  }
  static pid_t process_of(const EngineRun& run) {
    const auto answer = ask(run, "core/pid");
    return static_cast<pid_t>(answer.value().at("pid").as_int64());
  }
  static void wait_for_end(pid_t process) {
    while (::kill(process, 0) == 0) std::this_thread::yield();
  }

  servers::Scratch scratch_;
};

TEST_F(EngineTest, IsStartedOnceForMany) {
  Engine engine(options());
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
  Engine engine(options());
  EngineRun run = *coffer::run(engine.running()).value();
  EXPECT_TRUE(ask(run, "rc/noop"));
  EXPECT_TRUE(ask(run, "rc/noopauth"));
  run.authorization = "Basic Y29mZmVyOmNvZmZlcg==";
  EXPECT_FALSE(ask(run, "rc/noopauth"));
  EXPECT_FALSE(ask(run, "core/command"));
}

TEST_F(EngineTest, KeepsNothingOnTheDiskAndItsFolderToItself) {
  Engine engine(options());
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
  Engine engine(options());
  const auto first = coffer::run(engine.running()).value();
  const pid_t process = process_of(*first);
  ::kill(process, SIGKILL);
  wait_for_end(process);
  const auto lost = ask(*first, "rc/noop");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error(), kNeverReached);
  engine.miss(first->number);
  const auto second = coffer::run(engine.running());
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->number, 2U);
  EXPECT_TRUE(ask(**second, "rc/noop"));
}

TEST_F(EngineTest, EndsWithItsOwner) {
  pid_t process = 0;
  {
    Engine engine(options());
    process = process_of(*coffer::run(engine.running()).value());
  }
  EXPECT_NE(::kill(process, 0), 0);
}

TEST_F(EngineTest, NothingStartsOnceItEnded) {
  Engine engine(options());
  const auto run = coffer::run(engine.running()).value();
  engine.end();
  EXPECT_FALSE(ask(*run, "rc/noop"));
  const auto again = coffer::run(engine.running());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::unavailable);
}

TEST_F(EngineTest, SaysThatTheProgramIsMissing) {
  Engine engine(options("no-such-rclone"));
  const auto run = coffer::run(engine.running());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::unavailable);
  EXPECT_EQ(run.error().message,
            "Cloud drives need the program no-such-rclone, which is not installed here.");
}

TEST_F(EngineTest, SaysThatTheProgramDoesNotServe) {
  Engine engine(options(script("echo nonsense >&2\nexit 1\n")));
  const auto run = coffer::run(engine.running());
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "rclone, which serves cloud drives, does not start.");
}

/// It sees nothing of what this program was given.
TEST_F(EngineTest, SeesNoVariableButItsOwn) {
  ::setenv("RCLONE_DRIVE_CLIENT_SECRET", "not-for-children", 1);
  const fs::path seen = scratch_.path() / "seen";
  Engine engine(options(script("env > " + seen.string() + "\nexit 1\n")));
  EXPECT_FALSE(coffer::run(engine.running()));
  ::unsetenv("RCLONE_DRIVE_CLIENT_SECRET");
  std::ifstream file(seen);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("RCLONE_RC_PASS="), std::string::npos);
  EXPECT_EQ(text.find("not-for-children"), std::string::npos);
}

}  // namespace
}  // namespace coffer::rclone
