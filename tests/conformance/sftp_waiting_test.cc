#include <future>
#include <stdexcept>
#include <thread>

#include "backends/sftp/connections.h"
#include "conformance/sftp_fixture.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
using servers::FaultyLine;

/// Who waits for whom.
class SftpWaiting : public SftpTest {
 protected:
  std::optional<ErrorCode> look() {
    const Path root;
    return code_of(run(backend().stat(root)));
  }
};

TEST_F(SftpWaiting, AnUploadThatIsStuckHoldsUpNobodyElse) {
  constexpr std::uint64_t kPassed = 1'000'000;
  options_.deadlines.reply = options_.deadlines.stall = 20s;
  const auto writer = run(backend().create(path_of("file"), {})).value();
  line_.fail_standing(FaultyLine::Fault::stall, FaultyLine::Way::to_server, kPassed);
  const std::string content(16'000'000, 'x');
  auto written =
      std::async(std::launch::async, [&] { return run(writer->write(bytes_of(content))); });
  while (line_.passed(FaultyLine::Way::to_server) < kPassed) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(look(), std::nullopt);
  EXPECT_EQ(written.wait_for(0s), std::future_status::timeout);
  line_.cut();
  EXPECT_FALSE(written.get());
}

TEST_F(SftpWaiting, NobodyWaitsForAConnectionThatWasGivenUpByAnException) {
  bool is_broken = true;
  options_.may_connect = [&](const sockaddr&) {
    if (is_broken) throw std::runtime_error("broken");
    return true;
  };
  for (int i = 0; i < 2; ++i) EXPECT_THROW(look(), std::runtime_error);
  is_broken = false;
  EXPECT_EQ(look(), std::nullopt);
}

TEST_F(SftpWaiting, WaitingForAConnectionThatAnotherCallMakesHasADeadline) {
  options_.deadlines.connect = options_.deadlines.login = 100ms;
  std::promise<void> entered;
  std::promise<void> released;
  options_.may_connect = [&](const sockaddr&) {
    entered.set_value();
    released.get_future().wait();
    return false;
  };
  sftp::Connections connections(options_);
  auto first = std::async(std::launch::async, [&] { return connections.lease(); });
  entered.get_future().wait();
  EXPECT_EQ(code_of(connections.lease()), ErrorCode::timed_out);
  released.set_value();
  EXPECT_FALSE(first.get());
}

}  // namespace
}  // namespace coffer::conformance
