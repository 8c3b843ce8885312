#include "catalog/home_moves.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class HomeMovesTest : public CatalogTest {
 protected:
  HomeMoves& moves() { return catalog_->home_moves(); }
  std::optional<HomeStore> store_of(AccountId account) {
    return run(catalog_->accounts().get(account)).value().home_store;
  }
};
COFFER_ON_BOTH_DATABASES(HomeMovesTest);

TEST_P(HomeMovesTest, AMoveSwitchesTheStoreInOneStep) {
  const auto account = add_account("ada");
  EXPECT_EQ(store_of(account.id), std::nullopt);
  ASSERT_TRUE(run(moves().begin(account.id, HomeStore::objects)));
  EXPECT_EQ(run(moves().begin(account.id, HomeStore::files)).error().code, ErrorCode::exists);
  const auto copying = run(moves().find(account.id)).value().value();
  EXPECT_EQ(copying.home, account.home);
  EXPECT_EQ(copying.phase, HomeMovePhase::copying);
  EXPECT_EQ(copying.unused(), HomeStore::objects);
  EXPECT_EQ(store_of(account.id), std::nullopt);
  ASSERT_TRUE(run(moves().switch_over(account.id, HomeStore::objects)));
  EXPECT_EQ(store_of(account.id), HomeStore::objects);
  const auto clearing = run(moves().find(account.id)).value().value();
  EXPECT_EQ(clearing.phase, HomeMovePhase::clearing);
  EXPECT_EQ(clearing.unused(), HomeStore::files);
  ASSERT_TRUE(run(moves().end(account.id)));
  EXPECT_EQ(run(moves().find(account.id)).value(), std::nullopt);
}

TEST_P(HomeMovesTest, WhatIsNotBeingCopiedIsNotSwitched) {
  const auto account = add_account("ada");
  const auto switched = [&](HomeStore to) { return run(moves().switch_over(account.id, to)); };
  EXPECT_EQ(switched(HomeStore::objects).error().code, ErrorCode::conflict);
  ASSERT_TRUE(run(moves().begin(account.id, HomeStore::objects)));
  EXPECT_EQ(switched(HomeStore::files).error().code, ErrorCode::conflict);
  EXPECT_EQ(store_of(account.id), std::nullopt);
  ASSERT_TRUE(switched(HomeStore::objects));
  EXPECT_EQ(switched(HomeStore::objects).error().code, ErrorCode::conflict);
}

TEST_P(HomeMovesTest, ARecordOutlivesItsAccount) {
  const auto account = add_account("ada");
  ASSERT_TRUE(run(moves().begin(account.id, HomeStore::objects)));
  ASSERT_TRUE(run(catalog_->accounts().remove(account.id)));
  ASSERT_EQ(run(moves().list()).value().size(), 1U);
  EXPECT_EQ(run(moves().switch_over(account.id, HomeStore::objects)).error().code,
            ErrorCode::conflict);
  EXPECT_EQ(run(moves().list()).value()[0].phase, HomeMovePhase::copying);
  EXPECT_EQ(run(moves().begin(account.id, HomeStore::objects)).error().code, ErrorCode::not_found);
}

TEST_P(HomeMovesTest, AccountsAreCountedByTheirStores) {
  NewAccount account{"ada", "", Role::user, 0, ""};
  account.home_store = HomeStore::objects;
  EXPECT_EQ(run(catalog_->accounts().add(account)).value().home_store, HomeStore::objects);
  add_account("bob");
  add_account("eve");
  const auto counts = run(catalog_->accounts().home_stores()).value();
  EXPECT_EQ(counts.at(HomeStore::objects), 1U);
  EXPECT_EQ(counts.at(std::nullopt), 2U);
}

}  // namespace
}  // namespace coffer::catalog
