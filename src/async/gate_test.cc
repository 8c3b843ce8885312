#include "async/gate.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace coffer {
namespace {

TEST(Gate, LetsTheNextInWhenOneLeaves) {
  Gate gate(2);
  std::vector<int> entered;
  std::vector<Gate::Pass> inside;
  for (int i = 0; i < 4; ++i) {
    gate.enter_then([&, i](Gate::Pass pass) {
      entered.push_back(i);
      inside.push_back(std::move(pass));
    });
  }
  EXPECT_EQ(entered, (std::vector<int>{0, 1}));
  const auto leave = [&] { const auto gone = std::exchange(inside, {}); };
  leave();
  EXPECT_EQ(entered, (std::vector<int>{0, 1, 2, 3}));
  leave();
  gate.enter_then([&](Gate::Pass) { entered.push_back(4); });
  EXPECT_EQ(entered.back(), 4);
}

}  // namespace
}  // namespace coffer
