#include "catalog/setup.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class SetupTest : public CatalogTest {
 protected:
  Result<Account> complete(std::uint8_t token, const std::string& name = "ada") {
    NewAccount account;
    account.name = name;
    account.role = Role::admin;
    return run(catalog_->setup().complete(hash_of(token), std::move(account)));
  }
};
COFFER_ON_BOTH_DATABASES(SetupTest);

TEST_P(SetupTest, TheNewestTokenMakesTheFirstAccountOnce) {
  EXPECT_TRUE(run(catalog_->setup().is_open()).value());
  EXPECT_EQ(complete(1).error().code, ErrorCode::forbidden) << "none was offered";
  EXPECT_TRUE(run(catalog_->setup().offer(hash_of(1))).value());
  EXPECT_TRUE(run(catalog_->setup().offer(hash_of(2))).value());
  EXPECT_EQ(complete(1).error().code, ErrorCode::forbidden) << "a newer one was offered";
  EXPECT_EQ(run(catalog_->setup().check(hash_of(1))).error().code, ErrorCode::forbidden);
  EXPECT_TRUE(run(catalog_->setup().check(hash_of(2))));
  EXPECT_EQ(complete(2).value().role, Role::admin);
  EXPECT_FALSE(run(catalog_->setup().is_open()).value());
  EXPECT_EQ(complete(2, "bob").error().code, ErrorCode::forbidden);
  EXPECT_EQ(run(catalog_->setup().check(hash_of(2))).error().code, ErrorCode::forbidden);
  EXPECT_FALSE(run(catalog_->setup().offer(hash_of(3))).value());
  EXPECT_EQ(run(catalog_->accounts().list()).value().size(), 1U);
}

TEST_P(SetupTest, AnAccountMadeOtherwiseClosesIt) {
  ASSERT_TRUE(run(catalog_->setup().offer(hash_of(1))).value());
  add_account("bob");
  EXPECT_EQ(complete(1).error().code, ErrorCode::forbidden);
}

TEST_P(SetupTest, TheNewAccountHasALedger) {
  ASSERT_TRUE(run(catalog_->setup().offer(hash_of(1))).value());
  const auto account = complete(1).value();
  EXPECT_EQ(run(catalog_->ledger().usage(account.id)).value().used_bytes, 0U);
}

}  // namespace
}  // namespace coffer::catalog
