#include "catalog/sign_in_failures.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

using std::chrono::seconds;

class SignInFailuresTest : public CatalogTest {
 protected:
  seconds attempt(const std::string& account, const std::string& address = "here") {
    std::vector<SignInLimit> limits{{"account:" + account, 3, seconds(3600)},
                                    {"address:" + address, 5, seconds(3600)}};
    return run(catalog_->sign_in_failures().begin_attempt(std::move(limits))).value().time;
  }
  /// How many attempts go on before one has to wait.
  int attempts(const std::string& account, const std::string& address = "here") {
    int count = 0;
    while (attempt(account, address) == seconds(0)) ++count;
    return count;
  }
};
COFFER_ON_BOTH_DATABASES(SignInFailuresTest);

TEST_P(SignInFailuresTest, TheLeastOfThemAreForgottenWhereThereAreTooMany) {
  EXPECT_EQ(attempts("ada"), 3);
  for (int i = 0; i < 2; ++i) attempt("guess " + std::to_string(i), "other");
  ASSERT_TRUE(run(catalog_->sign_in_failures().forget_beyond(3)));
  EXPECT_EQ(attempts("ada"), 0);
  EXPECT_EQ(attempts("bob", "other"), 3) << "two of the address's failures are left";
  ASSERT_TRUE(run(catalog_->sign_in_failures().forget_beyond(0)));
  EXPECT_EQ(attempts("ada"), 3);
}

TEST_P(SignInFailuresTest, TheNextOneWaitsWhereTooManyFailed) {
  EXPECT_EQ(attempts("ada"), 3);
  EXPECT_EQ(attempt("ada"), seconds(1)) << "what waits is not counted";
  EXPECT_EQ(attempts("bob"), 2) << "the address is counted for all accounts";
  EXPECT_EQ(attempts("bob", "elsewhere"), 1);
}

TEST_P(SignInFailuresTest, ASuccessForgetsTheAccountsButNotTheAddresss) {
  auto& failures = catalog_->sign_in_failures();
  EXPECT_EQ(attempt("ada"), seconds(0));
  EXPECT_EQ(attempt("ada"), seconds(0));
  ASSERT_TRUE(run(failures.succeeded({"account:ada"}, {"address:here"})));
  EXPECT_EQ(attempts("ada"), 3);
  EXPECT_EQ(attempts("bob"), 1) << "four of the address's failures are left";
}

TEST_P(SignInFailuresTest, TheLongestWaitAndItsSubjectAreTold) {
  const auto ask = [&] {
    std::vector<SignInLimit> limits{{"account:ada", 2, seconds(60)},
                                    {"address:here", 1, seconds(8)}};
    return run(catalog_->sign_in_failures().begin_attempt(std::move(limits))).value();
  };
  EXPECT_EQ(ask().subject, "");
  EXPECT_EQ(ask().subject, "address:here");
}

TEST_P(SignInFailuresTest, TheyAreCountedForEveryProcess) {
  const auto other = open();
  EXPECT_EQ(attempts("ada"), 3);
  std::vector<SignInLimit> limits{{"account:ada", 3, seconds(3600)}};
  EXPECT_EQ(run(other->sign_in_failures().begin_attempt(std::move(limits))).value().time,
            seconds(1));
}

TEST_P(SignInFailuresTest, NoWaitIsLongerThanTheLongest) {
  const auto waiting = [&](std::uint64_t free, seconds longest) {
    std::vector<SignInLimit> limits{{"account:ada", free, longest}};
    return run(catalog_->sign_in_failures().begin_attempt(std::move(limits))).value().time;
  };
  for (int i = 0; i < 100; ++i) ASSERT_EQ(waiting(1000, seconds(60)), seconds(0));
  EXPECT_EQ(waiting(4, seconds(60)), seconds(60));
  EXPECT_EQ(waiting(0, seconds(7)), seconds(7));
}

}  // namespace
}  // namespace coffer::catalog
