#include "backends/sftp/budget.h"

#include <gtest/gtest.h>

namespace coffer::sftp {
namespace {

TEST(Budget, ItemsAreCounted) {
  Budget budget(2, 100);
  EXPECT_TRUE(budget.take(0));
  EXPECT_TRUE(budget.take(0));
  EXPECT_FALSE(budget.take(0));
}

TEST(Budget, BytesAreCounted) {
  Budget budget(100, 10);
  EXPECT_TRUE(budget.take(4));
  EXPECT_TRUE(budget.take(6));
  EXPECT_FALSE(budget.take(1));
  EXPECT_TRUE(budget.take(0));
}

}  // namespace
}  // namespace coffer::sftp
