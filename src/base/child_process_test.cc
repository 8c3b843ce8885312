#include "base/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace coffer {
namespace {

/// A shell that runs `script` with a prepared process's descriptors.
class ChildProcessTest : public testing::Test {
 protected:
  pid_t start(const std::string& script, pid_t parent = ::getpid()) {
    std::vector<std::string> texts = {"/bin/sh", "-c", script};
    const auto arguments = pointers(texts);
    const pid_t child = ::fork();
    if (child == 0) {
      if (prepare_child(parent, input_.from(), output_.to(), -1)) {
        ::execv(arguments[0], arguments.data());
      }
      ::_exit(127);
    }
    output_.close_to();
    return child;
  }

  std::string output() const {
    std::string all(1000, '\0');
    std::size_t size = 0;
    while (const auto got = ::read(output_.from(), all.data() + size, all.size() - size)) {
      if (got < 0) break;
      size += static_cast<std::size_t>(got);
    }
    return all.substr(0, size);
  }

  Pipe input_;
  Pipe output_;
};

TEST_F(ChildProcessTest, ReadsAndWritesWhatItWasGiven) {
  ASSERT_EQ(::write(input_.to(), "word\n", 5), 5);
  const pid_t child = start("read word; echo got $word; exit 3");
  EXPECT_EQ(output(), "got word\n");
  EXPECT_EQ(reap_child(child), 3);
}

TEST_F(ChildProcessTest, HasNoOtherDescriptors) {
  const int leaked = ::dup(1);  // Without O_CLOEXEC.
  const pid_t child =
      start("for each in /proc/$$/fd/*; do echo ${each##*/}; done; readlink /proc/$$/fd/2");
  const std::string shown = output();
  EXPECT_EQ(shown.find("\n" + std::to_string(leaked) + "\n"), std::string::npos) << shown;
  EXPECT_TRUE(shown.starts_with("0\n1\n")) << shown;
  EXPECT_TRUE(shown.ends_with("/dev/null\n")) << shown;
  EXPECT_EQ(reap_child(child), 0);
  ::close(leaked);
}

TEST_F(ChildProcessTest, IsInAGroupOfItsOwnAndBlocksNoSignal) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = start("ps -o pgid= -p $$ | tr -d ' '; exec grep SigBlk /proc/$$/status");
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(output(), std::to_string(child) + "\nSigBlk:\t0000000000000000\n");
  EXPECT_EQ(reap_child(child), 0);
}

TEST_F(ChildProcessTest, IsNotReadyWhenItsParentHasEnded) {
  const pid_t child = start("echo ready", ::getpid() + 1);
  EXPECT_EQ(output(), "");
  EXPECT_EQ(reap_child(child), 127);
}

TEST_F(ChildProcessTest, ASignalIsNoExitStatus) {
  EXPECT_EQ(reap_child(start("kill -TERM $$")), -1);
  EXPECT_EQ(reap_child(-5), -1) << "no child";
}

}  // namespace
}  // namespace coffer
