#include "confinement/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>

namespace coffer::confinement {
namespace {

/// What `work` returns in a confined process; 200 where it could not be confined.
template <class Function>
int confined(Function work) {
  const auto confinement =
      Confinement::make({.memory_bytes = std::uint64_t{768} << 20, .seconds = 10});
  EXPECT_TRUE(confinement) << "this kernel has no Landlock";
  if (!confinement) return 200;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(confinement->enter() ? work() : 200);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

int error_of(int answer) {
  return answer < 0 ? errno : 0;
}

TEST(ConfinementTest, ReadsPrograms) {
  EXPECT_EQ(confined([] { return error_of(::open("/usr/bin/env", O_RDONLY)); }), 0);
}

TEST(ConfinementTest, ReadsNoOtherFile) {
  for (const char* file : {"/etc/passwd", "/proc/self/environ", "/tmp", "/", "/root"}) {
    EXPECT_EQ(confined([file] { return error_of(::open(file, O_RDONLY)); }), EACCES) << file;
  }
}

TEST(ConfinementTest, WritesNothing) {
  // A name that nothing else has: what is a folder's says so before it says that it may not.
  const auto name = testing::TempDir() + "coffer-confined-" + std::to_string(::getpid());
  const auto write = [&] { return error_of(::open(name.c_str(), O_WRONLY | O_CREAT, 0600)); };
  EXPECT_EQ(confined(write), EACCES);
  EXPECT_EQ(confined([] { return error_of(::unlink("/usr/bin/env")); }), EACCES);
}

TEST(ConfinementTest, ReachesNoOneElse) {
  EXPECT_EQ(confined([] { return error_of(::socket(AF_INET, SOCK_STREAM, 0)); }), EPERM);
  EXPECT_EQ(confined([] { return error_of(::socket(AF_UNIX, SOCK_STREAM, 0)); }), EPERM);
  // Not kill(2) of a sanitizer, which takes memory for it.
  const auto kill_parent = [] { return error_of(int(::syscall(SYS_kill, ::getppid(), 0))); };
  EXPECT_EQ(confined(kill_parent), EPERM);
}

TEST(ConfinementTest, HasBoundedMemory) {
  // Not malloc: a sanitizer's ends the process instead of returning null.
  constexpr std::size_t kTooMuch = std::size_t{2} << 30;
  EXPECT_EQ(confined([] {
              const void* mapped = ::mmap(nullptr, kTooMuch, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
              return mapped == MAP_FAILED ? errno : 0;
            }),
            ENOMEM);
}

}  // namespace
}  // namespace coffer::confinement
