#include "base/late_library.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace coffer {
namespace {

std::string thrown_by(auto call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(LateLibrary, ItsFunctionsAreCalledWithTheirOwnTypes) {
  static LateLibrary library("libm.so.6");
  const LateFunction<double (*)(double, double)> power(library, "pow");
  EXPECT_EQ(power(2.0, 10.0), 1024.0);
  EXPECT_EQ(power(3, 2), 9.0);
}

TEST(LateLibrary, AFunctionWithAnyNumberOfArgumentsTakesThem) {
  static LateLibrary library("libc.so.6");
  const LateFunction<int (*)(char*, std::size_t, const char*, ...)> print(library, "snprintf");
  char text[32];
  EXPECT_EQ(print(&text[0], sizeof text, "%ld %s", 7L, "days"), 6);
  EXPECT_STREQ(text, "7 days");
}

TEST(LateLibrary, ThreadsThatCallFirstAllFindIt) {
  static LateLibrary library("libm.so.6");
  const LateFunction<double (*)(double)> root(library, "sqrt");
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { right += root(81.0) == 9.0 ? 1 : 0; });
  }
  EXPECT_EQ(right, 8);
}

TEST(LateLibrary, OneThatIsMissingIsNamed) {
  static LateLibrary library("libnever.so.1");
  const LateFunction<void (*)()> function(library, "anything");
  EXPECT_NE(thrown_by([&] { function(); }).find("libnever.so.1"), std::string::npos);
}

TEST(LateLibrary, AFunctionThatIsMissingIsNamedWithItsLibrary) {
  static LateLibrary library("libm.so.6");
  const LateFunction<void (*)()> function(library, "no_such_function");
  EXPECT_EQ(thrown_by([&] { function(); }),
            "libm.so.6 is not the version that is needed, it lacks no_such_function.");
}

}  // namespace
}  // namespace coffer
