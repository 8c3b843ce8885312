#include "catalog/accounts.h"

#include <atomic>
#include <thread>
#include <vector>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class AccountsTest : public CatalogTest {};
COFFER_ON_BOTH_DATABASES(AccountsTest);

TEST_P(AccountsTest, FindsWhatWasAdded) {
  NewAccount fresh{"ada", "Ada L.", Role::admin, 5'000'000'000'000, "hash"};
  const auto added = run(catalog_->accounts().add(fresh)).value();
  const auto found = run(catalog_->accounts().find(Turn::server(), "ada")).value();
  EXPECT_EQ(found.id, added.id);
  EXPECT_EQ(found.display_name, "Ada L.");
  EXPECT_EQ(found.role, Role::admin);
  EXPECT_EQ(found.quota_bytes, 5'000'000'000'000u);
  EXPECT_EQ(found.password_hash, "hash");
  EXPECT_EQ(found.created_at, added.created_at);
  EXPECT_EQ(run(catalog_->accounts().find(Turn::server(), "Ada")).error().code,
            ErrorCode::not_found);
}

TEST_P(AccountsTest, OneOfManyWhoTakeANameAtOnceGetsIt) {
  std::atomic<int> made = 0;
  std::atomic<int> refused = 0;
  const auto other = open();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      NewAccount account{"same", "", Role::user, 0, ""};
      const auto added = run((i % 2 ? *other : *catalog_).accounts().add(account));
      if (added) ++made;
      if (!added && added.error().code == ErrorCode::exists) ++refused;
    });
  }
  threads.clear();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(refused, 7);
}

TEST_P(AccountsTest, ChangesOnlyWhatIsGiven) {
  const auto account = add_account("bob", 10);
  AccountChange change;
  change.disabled = true;
  const auto changed = run(catalog_->accounts().change(account.id, change)).value();
  EXPECT_TRUE(changed.disabled);
  EXPECT_EQ(run(catalog_->accounts().get(account.id)).value().quota_bytes, 10u);
}

TEST_P(AccountsTest, RemovesTheKeysToo) {
  const auto account = add_account("bob");
  add_key(account.id, 1);
  ASSERT_TRUE(run(catalog_->keys().find(hash_of(1))));
  ASSERT_TRUE(run(catalog_->accounts().remove(account.id)));
  EXPECT_EQ(run(catalog_->keys().find(hash_of(1))).error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(run(catalog_->accounts().remove(account.id)).error().code, ErrorCode::not_found);
  EXPECT_TRUE(run(catalog_->accounts().list()).value().empty());
}

TEST_P(AccountsTest, NoHomeIsGivenAgain) {
  const auto first = add_account("bob");
  EXPECT_TRUE(first.home.starts_with("bob-")) << first.home;
  EXPECT_EQ(run(catalog_->accounts().get(first.id)).value().home, first.home);
  ASSERT_TRUE(run(catalog_->accounts().remove(first.id)));
  const auto second = add_account("bob");
  EXPECT_NE(second.home, first.home);
  const auto removed = run(catalog_->accounts().removed_homes()).value();
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].home, first.home);
  EXPECT_EQ(removed[0].account_name, "bob");
}

}  // namespace
}  // namespace coffer::catalog
