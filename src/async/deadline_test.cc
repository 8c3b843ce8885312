#include "async/deadline.h"

#include <gtest/gtest.h>

#include "async/run.h"

namespace coffer {
namespace {

using namespace std::chrono_literals;

Task<Result<int>> at_once() {
  co_return 7;
}

Task<Result<int>> never() {
  asio::steady_timer timer(co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
  co_return 0;
}

TEST(Deadline, PassesOnWhatIsInTime) {
  EXPECT_EQ(run(with_deadline(at_once(), 1h, "late")), 7);
}

TEST(Deadline, CancelsWhatIsLate) {
  const auto result = run(with_deadline(never(), 1ms, "The server did not answer in time."));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), (Error{ErrorCode::timed_out, "The server did not answer in time."}));
}

}  // namespace
}  // namespace coffer
