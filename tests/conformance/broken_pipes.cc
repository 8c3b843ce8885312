#include <gtest/gtest.h>

#include <csignal>

namespace coffer::conformance {
namespace {

/// A closed connection is an error of the call that meets it, as in the program, which ignores the
/// signal.
class BrokenPipes : public testing::Environment {
 public:
  // With a handler, not ignored: servers that a test starts would inherit that.
  void SetUp() override {
    std::signal(SIGPIPE, [](int) {});
  }
};

const testing::Environment* const broken_pipes = testing::AddGlobalTestEnvironment(new BrokenPipes);

}  // namespace
}  // namespace coffer::conformance
