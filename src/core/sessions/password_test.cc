#include "core/sessions/password.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

TEST(PasswordTest, OnlyTheRightOneMatches) {
  const std::string hash = hash_password("correct horse").value();
  EXPECT_TRUE(hash.starts_with("$argon2id$")) << hash;
  EXPECT_TRUE(is_password("correct horse", hash));
  EXPECT_FALSE(is_password("correct horsf", hash));
  EXPECT_FALSE(is_password("", hash));
  EXPECT_FALSE(needs_new_hash(hash));
}

TEST(PasswordTest, NothingMatchesWhereThereIsNone) {
  EXPECT_FALSE(is_password("", ""));
  EXPECT_FALSE(is_password("correct horse", ""));
  EXPECT_FALSE(is_password("correct horse", "not a hash"));
  EXPECT_FALSE(needs_new_hash(kUnknownHash)) << "its check would not take as long";
}

TEST(PasswordTest, WhatIsTooLongIsNotCutToAMatch) {
  const std::string longest(1024, 'a');
  const std::string hash = hash_password(longest + "a").value();
  EXPECT_FALSE(is_password(longest + "ab", hash));
  EXPECT_FALSE(is_password(longest + "a", hash));
}

TEST(PasswordTest, OtherParametersAreRenewed) {
  // Made with fewer operations and less memory than today's.
  EXPECT_TRUE(
      needs_new_hash("$argon2id$v=19$m=8192,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$"
                     "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY"));
}

TEST(PasswordTest, ItsLengthIsBounded) {
  EXPECT_FALSE(check_password("1234567"));
  EXPECT_TRUE(check_password("12345678"));
  EXPECT_TRUE(check_password(std::string(1024, 'a')));
  EXPECT_FALSE(check_password(std::string(1025, 'a')));
}

}  // namespace
}  // namespace coffer::core
