#include "catalog/ledger.h"

#include <atomic>
#include <thread>
#include <vector>

#include "async/run.h"
#include "catalog/test_catalog.h"

namespace coffer::catalog {
namespace {

class LedgerTest : public CatalogTest {
 protected:
  Usage usage(AccountId account) { return run(catalog_->ledger().usage(account)).value(); }
};
COFFER_ON_BOTH_DATABASES(LedgerTest);

TEST_P(LedgerTest, RefusesWhatDoesNotFitToTheByte) {
  const auto account = add_account("ada", 100);
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account.id, 60)));
  EXPECT_EQ(run(ledger.reserve(account.id, 41)).error().code, ErrorCode::over_quota);
  EXPECT_TRUE(run(ledger.reserve(account.id, 40)));
  ASSERT_TRUE(run(ledger.settle(account.id, 100, 70)));
  EXPECT_EQ(usage(account.id).used_bytes, 70u);
  EXPECT_EQ(usage(account.id).reserved_bytes, 0u);
  EXPECT_EQ(run(ledger.reserve(AccountId{1}, 1)).error().code, ErrorCode::not_found);
}

TEST_P(LedgerTest, SettlementsThatOvertakeOneAnotherSumExactly) {
  const auto account = add_account("ada", 100);
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account.id, 10)));
  // A file of 10 bytes was replaced by one of 7, which is counted first.
  ASSERT_TRUE(run(ledger.settle(account.id, 0, -3)));
  EXPECT_EQ(usage(account.id).used_bytes, 0u);
  ASSERT_TRUE(run(ledger.settle(account.id, 10, 10)));
  EXPECT_EQ(usage(account.id).used_bytes, 7u);
}

TEST_P(LedgerTest, LoweredQuotaRefusesAllButNothing) {
  const auto account = add_account("ada", 100);
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account.id, 80)));
  ASSERT_TRUE(run(ledger.settle(account.id, 80, 80)));
  AccountChange change;
  change.quota_bytes = 50;
  ASSERT_TRUE(run(catalog_->accounts().change(account.id, change)));
  EXPECT_EQ(run(ledger.reserve(account.id, 1)).error().code, ErrorCode::over_quota);
  EXPECT_TRUE(run(ledger.reserve(account.id, 0)));
}

TEST_P(LedgerTest, ManyAtOnceNeverPassTheLimitAndSumExactly) {
  const auto full = add_account("full", 1000);
  const auto open_account = add_account("open");
  const auto other = open();
  std::atomic<std::uint64_t> stored = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      auto& ledger = (t % 2 ? *other : *catalog_).ledger();
      for (int i = 0; i < 25; ++i) {
        if (!run(ledger.reserve(open_account.id, 7))) ++wrong;
        if (!run(ledger.settle(open_account.id, 7, 5))) ++wrong;
        const auto reserved = run(ledger.reserve(full.id, 13));
        if (!reserved && reserved.error().code != ErrorCode::over_quota) ++wrong;
        if (!reserved) continue;
        const auto now = run(ledger.usage(full.id)).value();
        if (now.used_bytes + now.reserved_bytes > 1000) ++wrong;
        if (!run(ledger.settle(full.id, 13, 13))) ++wrong;
        stored += 13;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(usage(full.id).used_bytes, stored);
  EXPECT_EQ(usage(full.id).reserved_bytes, 0u);
  EXPECT_EQ(stored, 988u);
  EXPECT_EQ(usage(open_account.id).used_bytes, 8u * 25 * 5);
}

TEST_P(LedgerTest, CorrectsOnlyWhatStoodStill) {
  const auto account = add_account("ada");
  auto& ledger = catalog_->ledger();
  const auto before = usage(account.id);
  ASSERT_TRUE(run(ledger.reserve(account.id, 5)));
  EXPECT_FALSE(run(ledger.correct(account.id, 9, before.version)).value());
  EXPECT_FALSE(run(ledger.correct(account.id, 9, usage(account.id).version)).value());
  ASSERT_TRUE(run(ledger.settle(account.id, 5, 0)));
  EXPECT_TRUE(run(ledger.correct(account.id, 9, usage(account.id).version)).value());
  EXPECT_EQ(usage(account.id).used_bytes, 9u);
}

TEST_P(LedgerTest, ReservationsOfACrashedRunAreVoid) {
  const auto account = add_account("ada", 100);
  EXPECT_FALSE(run(catalog_->ledger().begin_run()).value());
  ASSERT_TRUE(run(catalog_->ledger().reserve(account.id, 100)));
  catalog_ = open();
  EXPECT_TRUE(run(catalog_->ledger().begin_run()).value());
  EXPECT_EQ(usage(account.id).reserved_bytes, 0u);
  ASSERT_TRUE(run(catalog_->ledger().end_run()));
  catalog_ = open();
  EXPECT_FALSE(run(catalog_->ledger().begin_run()).value());
}

}  // namespace
}  // namespace coffer::catalog
