#include "catalog/mounts.h"

#include <atomic>
#include <thread>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

using MountsPtr = std::shared_ptr<const AccountMounts>;

// As a request looks them up.
MountsPtr mounts_of(Catalog& catalog, AccountId account) {
  if (auto mounts = catalog.mounts().find_now(account)) return mounts;
  return run(catalog.mounts().find(account)).value();
}

class MountsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    other_ = beside();
    ada_ = add_account("ada").id;
  }
  Share share(const std::string& name, std::vector<AccountId> accounts) {
    NewShare fresh{name, "", "/srv/" + name, false, false, std::move(accounts)};
    return run(other_->shares().create(std::move(fresh))).value();
  }
  Connector connect(const std::string& name) {
    NewConnector fresh{ada_, ConnectorKind::ftp, name, "", "ftp://host", "{}", "", false};
    return run(other_->connectors().create(std::move(fresh))).value();
  }
  bool is_at_hand() { return catalog_->mounts().find_now(ada_) != nullptr; }
  bool keeps_in_memory() const { return GetParam() == Kind::sqlite; }

  Catalog* other_ = nullptr;
  AccountId ada_;
};
COFFER_ON_BOTH_DATABASES(MountsTest);

TEST_P(MountsTest, HoldSharesAndConnectorsById) {
  const auto bob = add_account("bob").id;
  const auto shared = share("b", {ada_, bob});
  share("a", {ada_});
  const auto hidden = share("c", {bob});
  const auto connected = connect("nas");
  const auto mounts = mounts_of(*catalog_, ada_);
  ASSERT_EQ(mounts->shares.size(), 2u);
  EXPECT_EQ(mounts->shares[0].name, "a");
  EXPECT_EQ(mounts->share(shared.id.value), &mounts->shares[1]);
  EXPECT_EQ(mounts->shares[1].accounts, std::vector{ada_});
  EXPECT_EQ(mounts->share(hidden.id.value), nullptr);
  EXPECT_EQ(mounts->share(connected.id.value), nullptr);
  ASSERT_EQ(mounts->connectors.size(), 1u);
  EXPECT_EQ(mounts->connector(connected.id.value)->target, "ftp://host");
  EXPECT_EQ(mounts->connector(shared.id.value), nullptr);
  EXPECT_TRUE(mounts_of(*catalog_, bob)->connectors.empty());
}

TEST_P(MountsTest, StayAtHandThroughQuotaAndProgress) {
  const TaskId task = Tasks::new_id();
  ASSERT_TRUE(run(catalog_->tasks().note(task, NewTask{ada_, TaskKind::copy, "a", "b"})));
  EXPECT_TRUE(mounts_of(*catalog_, ada_)->shares.empty());
  EXPECT_EQ(is_at_hand(), keeps_in_memory());
  ASSERT_TRUE(run(catalog_->ledger().reserve(ada_, 5)));
  ASSERT_TRUE(run(catalog_->tasks().report(ada_, task, Progress{1, 2, 3, 4})));
  EXPECT_EQ(is_at_hand(), keeps_in_memory());
}

TEST_P(MountsTest, SurviveAChangeOfSomethingElse) {
  const auto before = mounts_of(*catalog_, ada_);
  add_account("bob");
  EXPECT_EQ(is_at_hand(), keeps_in_memory());
  const auto after = run(catalog_->mounts().find(ada_)).value();
  EXPECT_EQ(before == after, keeps_in_memory());
  EXPECT_EQ(is_at_hand(), keeps_in_memory());
}

TEST_P(MountsTest, WithdrawalElsewhereCountsAtOnce) {
  for (int i = 0; i < 20; ++i) {
    const auto shared = share("docs", {ada_});
    const auto connected = connect("nas");
    ASSERT_TRUE(mounts_of(*catalog_, ada_)->share(shared.id.value));
    ASSERT_TRUE(mounts_of(*catalog_, ada_)->connector(connected.id.value));
    ASSERT_TRUE(run(other_->shares().remove(shared.id)));
    EXPECT_FALSE(mounts_of(*catalog_, ada_)->share(shared.id.value));
    ASSERT_TRUE(run(other_->connectors().remove(ada_, connected.id)));
    EXPECT_FALSE(mounts_of(*catalog_, ada_)->connector(connected.id.value));
  }
}

TEST_P(MountsTest, EveryChangeElsewhereCountsAtOnce) {
  const auto shared = share("docs", {ada_});
  const auto connected = connect("nas");
  ASSERT_FALSE(mounts_of(*catalog_, ada_)->share(shared.id.value)->read_only);
  ShareChange limit;
  limit.read_only = true;
  ASSERT_TRUE(run(other_->shares().set(shared.id, limit)));
  EXPECT_TRUE(mounts_of(*catalog_, ada_)->share(shared.id.value)->read_only);
  ShareChange withdraw;
  withdraw.accounts.emplace();
  ASSERT_TRUE(run(other_->shares().set(shared.id, withdraw)));
  EXPECT_FALSE(mounts_of(*catalog_, ada_)->share(shared.id.value));
  ConnectorChange reseal;
  reseal.sealed_secret = "bmV3";
  ASSERT_TRUE(run(other_->connectors().set(ada_, connected.id, reseal)));
  EXPECT_EQ(mounts_of(*catalog_, ada_)->connector(connected.id.value)->sealed_secret, "bmV3");
}

TEST_P(MountsTest, GoWithTheirAccount) {
  share("docs", {ada_});
  connect("nas");
  ASSERT_EQ(mounts_of(*catalog_, ada_)->shares.size(), 1u);
  ASSERT_TRUE(run(other_->accounts().remove(ada_)));
  EXPECT_TRUE(mounts_of(*catalog_, ada_)->shares.empty());
  EXPECT_TRUE(mounts_of(*catalog_, ada_)->connectors.empty());
}

// A look that begins after a removal was answered must not see the share.
TEST_P(MountsTest, NoReaderSeesWhatWasWithdrawnBeforeItAsked) {
  std::atomic<int> removed = 0;
  std::atomic<bool> ended = false;
  std::atomic<int> stale = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!ended) {
        const int before = removed;
        const auto mounts = mounts_of(*catalog_, ada_);
        for (const Share& seen : mounts->shares) {
          if (std::stoi(seen.name) < before) ++stale;
        }
      }
    });
  }
  for (int i = 0; i < 40; ++i) {
    const auto shared = share(std::to_string(i), {ada_});
    ASSERT_TRUE(run(other_->shares().remove(shared.id)));
    removed = i + 1;
  }
  ended = true;
  readers.clear();
  EXPECT_EQ(stale, 0);
}

}  // namespace
}  // namespace coffer::catalog
