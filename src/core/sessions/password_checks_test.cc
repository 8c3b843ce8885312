#include "core/sessions/password_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

#include "catalog/testing/scratch_catalog.h"
#include "core/sessions/password.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

const std::string kPassword = "correct horse";
constexpr std::uint64_t kFree = 3;

class PasswordChecksTest : public testing::Test {
 protected:
  /// `yes`, `no`, or the word of an error.
  Task<void> check(std::string password, std::string name) {
    auto place = queue_.enter(PasswordAsker::at("192.0.2.1"));
    PasswordChecks::Question question;
    question.cleared = {{"account " + name, 100, 1h}};
    question.eased = {{"address", kFree, 1h}};
    question.password = std::move(password);
    question.hash = hash_;
    const auto result = co_await checks_.check(*place, std::move(question));
    if (!result) {
      answers_.emplace_back(to_string(result.error().code));
    } else {
      answers_.emplace_back(*result ? "yes" : "no");
    }
  }
  /// The answers to as many checks at once.
  std::vector<std::string> at_once(int count, const std::string& password) {
    answers_.clear();
    asio::io_context context(1);
    for (int i = 0; i < count; ++i) {
      asio::co_spawn(context, check(password, "name" + std::to_string(i)), asio::detached);
    }
    context.run();
    return answers_;
  }

  /// Counts a failure of the address, unless it has to wait. Returns how long.
  std::chrono::seconds fail(std::uint64_t free) {
    std::vector<catalog::SignInLimit> limits{{"address", free, 1h}};
    return run(catalog_->sign_in_failures().begin_attempt(std::move(limits))).value().time;
  }

  std::string hash_ = hash_password(kPassword).value();
  std::vector<std::string> answers_;
  catalog::ScratchCatalog catalog_;
  PasswordQueue queue_;
  PasswordChecks checks_{*catalog_};
};

TEST_F(PasswordChecksTest, RightOnesAtOnceAreAllLetIn) {
  EXPECT_EQ(at_once(12, kPassword), std::vector<std::string>(12, "yes"));
}

TEST_F(PasswordChecksTest, WrongOnesAtOnceGetAsFarAsOneAfterTheOther) {
  hash_ = "no hash";  // Takes no time: a wait of a second must not end while others are looked at.
  const auto answers = at_once(12, "wrong");
  ASSERT_EQ(answers.size(), 12U) << "one of them waits for ever";
  EXPECT_GE(std::ranges::count(answers, "no"), 3);
  EXPECT_LE(std::ranges::count(answers, "no"), 6);
  EXPECT_EQ(std::ranges::count(answers, "yes"), 0);
}

TEST_F(PasswordChecksTest, WhatWaitsIsToldOnceNoneIsUnderWay) {
  for (int i = 0; i < 12; ++i) EXPECT_EQ(fail(1000), 0s);
  EXPECT_EQ(at_once(5, kPassword), std::vector<std::string>(5, "rate_limited"));
}

TEST_F(PasswordChecksTest, ARightOneTakesBackNoFailureOfOthers) {
  EXPECT_EQ(fail(kFree), 0s);
  EXPECT_EQ(at_once(5, kPassword), std::vector<std::string>(5, "yes"));
  EXPECT_EQ(fail(kFree), 0s);
  EXPECT_EQ(fail(kFree), 0s);
  EXPECT_EQ(fail(kFree), 1s) << "three are left, which are none of the right ones";
}

}  // namespace
}  // namespace coffer::core
