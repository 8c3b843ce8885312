#include "app/readiness.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "async/suspend.h"

namespace coffer::app {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

/// Something that answers when a test lets it.
class Asked {
 public:
  Task<bool> answer() {
    ++times;
    co_await suspend([this](Resume resume) { held_ = std::move(resume); });
    if (lacks_memory) throw std::bad_alloc();
    co_return works;
  }
  void let_go() { std::exchange(held_, {})(); }

  int times = 0;
  bool works = true;
  bool lacks_memory = false;

 private:
  Resume held_;
};

class RememberedCheckTest : public testing::Test {
 protected:
  void ask() {
    const auto note = [](RememberedCheckTest& test) -> Task<void> {
      test.answers_.push_back(co_await test.check_->passes());
    };
    asio::co_spawn(context_, note(*this), asio::detached);
    poll();
  }
  void poll() {
    context_.restart();
    context_.poll();
  }
  void make(RememberedCheck::Times times) {
    check_.emplace(background_, [this] { return asked_.answer(); }, times);
  }

  asio::io_context context_{1};
  core::Background background_{context_.get_executor()};
  Asked asked_;
  std::optional<RememberedCheck> check_;
  std::vector<bool> answers_;
};

TEST_F(RememberedCheckTest, AsksOnceForAllThatWait) {
  make({hours(1), hours(1)});
  for (int i = 0; i < 3; ++i) ask();
  EXPECT_TRUE(answers_.empty());
  asked_.let_go();
  poll();
  EXPECT_EQ(answers_, std::vector<bool>(3, true));
  ask();
  EXPECT_EQ(answers_.size(), 4u) << "a fresh answer is used";
  EXPECT_EQ(asked_.times, 1);
}

TEST_F(RememberedCheckTest, AsksAgainWhenTheAnswerIsOld) {
  make({milliseconds(0), hours(1)});
  for (const bool works : {false, true}) {
    asked_.works = works;
    ask();
    asked_.let_go();
    poll();
  }
  EXPECT_EQ(answers_, (std::vector<bool>{false, true}));
  EXPECT_EQ(asked_.times, 2);
}

TEST_F(RememberedCheckTest, AsksAgainAfterAnException) {
  make({milliseconds(0), hours(1)});
  for (const bool lacks_memory : {true, false}) {
    asked_.lacks_memory = lacks_memory;
    ask();
    asked_.let_go();
    poll();
  }
  EXPECT_EQ(answers_, (std::vector<bool>{false, true}));
}

TEST_F(RememberedCheckTest, WaitsNoLongerThanTheLimitAndDoesNotAskTwice) {
  make({hours(1), milliseconds(1)});
  ask();
  context_.restart();
  while (answers_.empty()) context_.run_one();
  ask();  // At once: the limit of the check under way has passed.
  EXPECT_EQ(answers_, (std::vector<bool>{false, false}));
  asked_.let_go();
  poll();
  ask();
  EXPECT_EQ(answers_, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(asked_.times, 1);
}

}  // namespace
}  // namespace coffer::app
