#include "base/error.h"

#include <gtest/gtest.h>

#include <memory>

namespace coffer {
namespace {

Result<std::unique_ptr<int>> boxed(int value) {
  if (value < 0) return fail(ErrorCode::invalid, "too small");
  return std::make_unique<int>(value);
}

Result<void> below(int limit, int value) {
  if (value >= limit) return fail(ErrorCode::over_quota, "too large");
  return {};
}

Result<int> twice(int value) {
  TRY(const auto box, boxed(value));
  TRY_VOID(below(10, *box));
  int doubled = 0;
  TRY(doubled, Result<int>(*box * 2));
  return doubled;
}

TEST(Try, GivesTheValue) {
  EXPECT_EQ(twice(4), 8);
}

TEST(Try, LeavesWithTheErrorOfTheStepThatFailed) {
  EXPECT_EQ(twice(-1).error(), (Error{ErrorCode::invalid, "too small"}));
  EXPECT_EQ(twice(10).error(), (Error{ErrorCode::over_quota, "too large"}));
}

}  // namespace
}  // namespace coffer
