#include "core/identity/basic_sessions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "async/run.h"
#include "base/clock.h"
#include "catalog/testing/scratch_catalog.h"

namespace coffer::core {
namespace {

/// Knows one password of one account.
class OnePassword final : public PasswordDirectory {
 public:
  explicit OnePassword(catalog::Account person) : person_(std::move(person)) {}

  Task<Result<std::optional<catalog::Account>>> sign_in(std::string, std::string shown,
                                                        std::string) override {
    if (is_down) co_return fail(ErrorCode::unready, "It is down.");
    if (shown != password) co_return std::nullopt;
    co_return std::optional(person_);
  }
  Task<Result<bool>> knows(AccountId account) override { co_return account == person_.id; }
  Task<Result<bool>> is_password(AccountId, std::string shown) override {
    co_return shown == password;
  }

  std::string password = "first password";
  bool is_down = false;

 private:
  const catalog::Account person_;
};

class BasicSessionsTest : public testing::Test {
 protected:
  void SetUp() override { sign_in_.ask(directory_); }
  void TearDown() override { follow_own_clock(); }

  Result<Principal> find(const std::string& password = "first password") {
    return run(sessions_.find("bob", password, {"192.0.2.1", "Client", {}}));
  }
  SessionId session() { return find().value().session->id; }
  void wait(std::chrono::minutes time) {
    waited_ += time;
    const auto here = std::chrono::steady_clock::now();
    follow_clock(own_now() + waited_, here, here);
  }
  std::size_t count() {
    return run(catalog_->web_sessions().list(directory_person_.id)).value().size();
  }

  catalog::ScratchCatalog catalog_;
  PasswordQueue passwords_;
  PasswordChecks checks_{*catalog_};
  SignInService sign_in_{*catalog_, passwords_, checks_};
  const Sealer sealer_{Sealer::make_key()};
  SecondFactorService second_factors_{*catalog_, sign_in_, sealer_};
  BasicSessions sessions_{catalog_->second_factors(), sign_in_, second_factors_};
  const catalog::Account directory_person_ = catalog_.add_account("bob", "");
  OnePassword directory_{directory_person_};
  std::chrono::minutes waited_{0};
};

TEST_F(BasicSessionsTest, ADirectoryIsAskedAgainAfterAnHour) {
  const auto first = session();
  wait(std::chrono::minutes(59));
  EXPECT_EQ(session(), first);
  wait(std::chrono::minutes(2));
  EXPECT_NE(session(), first);
  EXPECT_EQ(count(), 1U) << "in its place";
}

TEST_F(BasicSessionsTest, WhoMustHaveASecondFactorFirstLeavesNoSession) {
  SecondFactorService strict(*catalog_, sign_in_, sealer_,
                             {.second_factor = SecondFactorNeed::everyone});
  BasicSessions sessions(catalog_->second_factors(), sign_in_, strict);
  for (int i = 0; i < 2; ++i) {
    const auto found = run(sessions.find("bob", "first password", {"192.0.2.1", "Client", {}}));
    EXPECT_EQ(found.error().code, ErrorCode::forbidden);
  }
  EXPECT_EQ(count(), 0U);
}

TEST_F(BasicSessionsTest, APasswordThatTheDirectoryTakesNoMoreOpensNothing) {
  const auto first = session();
  directory_.password = "second password";
  EXPECT_EQ(session(), first);
  wait(std::chrono::minutes(61));
  EXPECT_EQ(find().error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(count(), 0U);
  EXPECT_TRUE(find("second password"));
}

TEST_F(BasicSessionsTest, ADirectoryThatIsDownEndsNothing) {
  const auto first = session();
  wait(std::chrono::minutes(61));
  directory_.is_down = true;
  EXPECT_EQ(session(), first);
  EXPECT_EQ(session(), first);
  directory_.is_down = false;
  EXPECT_NE(session(), first);
}

}  // namespace
}  // namespace coffer::core
