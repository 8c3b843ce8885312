#include "app/app_context.h"

#include <gtest/gtest.h>

#include "base/lock_file.h"

namespace coffer::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const LockPatience::Instant kBegin{};
const std::string kCommand = "a command of coffer, process 7 on host, since now";
const std::string kServer = "coffer serve, process 8 on host, since now";

TEST(LockPatience, AServerIsGivenUpAfterAMoment) {
  LockPatience patience(kBegin);
  EXPECT_TRUE(patience.waits_for(kServer, kBegin));
  EXPECT_TRUE(patience.waits_for(kServer, kBegin + milliseconds(200)));
  EXPECT_FALSE(patience.waits_for(kServer, kBegin + milliseconds(201)));
}

TEST(LockPatience, ACommandThatHasNotWrittenItsNameYetIsWaitedFor) {
  LockPatience patience(kBegin);
  auto now = kBegin;
  for (int i = 0; i < 90; ++i) {
    EXPECT_TRUE(patience.waits_for(kCommand, now));
    EXPECT_TRUE(patience.waits_for(i % 2 == 0 ? "" : kServer, now + milliseconds(50)));
    now += milliseconds(100);
  }
}

TEST(LockPatience, CommandsAreGivenUpAfterTenSeconds) {
  LockPatience patience(kBegin);
  EXPECT_TRUE(patience.waits_for(kCommand, kBegin + seconds(10)));
  EXPECT_FALSE(patience.waits_for(kCommand, kBegin + milliseconds(10'001)));
}

}  // namespace
}  // namespace coffer::app
