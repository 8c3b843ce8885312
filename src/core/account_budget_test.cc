#include "core/account_budget.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

constexpr AccountId kAnn{1};
constexpr AccountId kBob{2};
constexpr AccountId kEve{3};

TEST(AccountBudgetTest, AnAccountHoldsNoMoreThanItsPart) {
  AccountBudget budget(100, 40);
  auto first = budget.take(kAnn, 30);
  ASSERT_TRUE(first);
  EXPECT_FALSE(budget.take(kAnn, 11));
  const auto second = budget.take(kAnn, 10);
  EXPECT_TRUE(second);
  EXPECT_TRUE(budget.take(kBob, 40));
  first.reset();
  EXPECT_TRUE(budget.take(kAnn, 30));
}

TEST(AccountBudgetTest, WhatIsLargerThanAPartIsHadAlone) {
  AccountBudget budget(100, 40);
  auto large = budget.take(kAnn, 1'000);
  ASSERT_TRUE(large);
  EXPECT_FALSE(budget.take(kAnn, 1));
  EXPECT_TRUE(budget.take(kBob, 40));
  large.reset();
  EXPECT_TRUE(budget.take(kAnn, 40));
}

TEST(AccountBudgetTest, AllTogetherHoldNoMoreThanThereIs) {
  AccountBudget budget(100, 60);
  const auto first = budget.take(kAnn, 60);
  const auto second = budget.take(kBob, 40);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(budget.take(kEve, 1));
}

TEST(AccountBudgetTest, AShareMayOutliveIt) {
  AccountBudget::Share share;
  {
    AccountBudget budget(1, 1);
    share = budget.take(kAnn, 1);
  }
  share.reset();
}

}  // namespace
}  // namespace coffer::core
