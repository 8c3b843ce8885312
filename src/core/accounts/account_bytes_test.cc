#include "core/accounts/account_bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace coffer::core {
namespace {

TEST(AccountBytes, EachAccountHasASumOfItsOwn) {
  constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();
  AccountBytes bytes;
  EXPECT_TRUE(bytes.add(AccountId{1}, 600, 1000));
  EXPECT_FALSE(bytes.add(AccountId{1}, 401, 1000));
  EXPECT_EQ(bytes.of(AccountId{1}), 600U);
  EXPECT_TRUE(bytes.add(AccountId{1}, 400, 1000));
  EXPECT_FALSE(bytes.add(AccountId{1}, kAny, 1000));
  EXPECT_FALSE(bytes.add(AccountId{1}, 1, 500));
  EXPECT_TRUE(bytes.add(AccountId{1}, 0, 500));
  EXPECT_TRUE(bytes.add(AccountId{2}, 1000, 1000));
  bytes.take_off(AccountId{1}, 1000);
  EXPECT_EQ(bytes.of(AccountId{1}), 0U);
  EXPECT_EQ(bytes.of(AccountId{2}), 1000U);
}

}  // namespace
}  // namespace coffer::core
