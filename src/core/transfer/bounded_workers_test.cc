#include "core/transfer/bounded_workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <stdexcept>

#include "async/run.h"

namespace coffer::core {
namespace {

/// Pieces that each turn up others until `left` is used up.
class Pieces final : public WorkSource {
 public:
  Pieces(int first, int left) : ready_(first), left_(left) {}

  std::optional<Task<void>> take() override {
    if (ready_ == 0) return std::nullopt;
    --ready_;
    return piece();
  }

  int done = 0;
  int most_at_once = 0;
  int breaks_at = -1;

 private:
  Task<void> piece() {
    most_at_once = std::max(most_at_once, ++busy_);
    const auto executor = co_await asio::this_coro::executor;
    co_await asio::post(executor, asio::use_awaitable);
    co_await asio::post(executor, asio::use_awaitable);
    --busy_;
    if (++done == breaks_at) throw std::runtime_error("broken");
    for (int i = 0; i < 2 && left_ > 0; ++i, --left_) ++ready_;
  }

  int ready_;
  int left_;
  int busy_ = 0;
};

TEST(BoundedWorkers, DoesWhatTurnsUpOnTheWay) {
  Pieces pieces(1, 50);
  run(do_work(pieces, 4));
  EXPECT_EQ(pieces.done, 51);
  EXPECT_EQ(pieces.most_at_once, 4);
}

TEST(BoundedWorkers, EndsWhenThereIsNothing) {
  Pieces pieces(0, 0);
  run(do_work(pieces, 4));
  EXPECT_EQ(pieces.done, 0);
}

TEST(BoundedWorkers, OneByOneIfAskedTo) {
  Pieces pieces(5, 0);
  run(do_work(pieces, 1));
  EXPECT_EQ(pieces.done, 5);
  EXPECT_EQ(pieces.most_at_once, 1);
}

TEST(BoundedWorkers, WhatBreaksIsThrownWhenAllHaveEnded) {
  Pieces pieces(20, 0);
  pieces.breaks_at = 2;
  EXPECT_THROW(run(do_work(pieces, 4)), std::runtime_error);
  EXPECT_GE(pieces.done, 4);
  EXPECT_LT(pieces.done, 10);
}

}  // namespace
}  // namespace coffer::core
