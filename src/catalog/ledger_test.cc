#include "catalog/ledger.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

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
  ASSERT_TRUE(run(ledger.record(account.id, 100, 70)));
  EXPECT_EQ(usage(account.id).used_bytes, 70u);
  EXPECT_EQ(usage(account.id).reserved_bytes, 0u);
  EXPECT_EQ(run(ledger.reserve(AccountId{1}, 1)).error().code, ErrorCode::not_found);
}

TEST_P(LedgerTest, SettlementsThatOvertakeOneAnotherSumExactly) {
  const auto account = add_account("ada", 100);
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account.id, 10)));
  // A file of 10 bytes was replaced by one of 7, which is counted first.
  ASSERT_TRUE(run(ledger.record(account.id, 0, -3)));
  EXPECT_EQ(usage(account.id).used_bytes, 0u);
  ASSERT_TRUE(run(ledger.record(account.id, 10, 10)));
  EXPECT_EQ(usage(account.id).used_bytes, 7u);
}

TEST_P(LedgerTest, LoweredQuotaRefusesAllButNothing) {
  const auto account = add_account("ada", 100);
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account.id, 80)));
  ASSERT_TRUE(run(ledger.record(account.id, 80, 80)));
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
        if (!run(ledger.record(open_account.id, 7, 5))) ++wrong;
        const auto reserved = run(ledger.reserve(full.id, 13));
        if (!reserved && reserved.error().code != ErrorCode::over_quota) ++wrong;
        if (!reserved) continue;
        const auto now = run(ledger.usage(full.id)).value();
        if (now.used_bytes + now.reserved_bytes > 1000) ++wrong;
        if (!run(ledger.record(full.id, 13, 13))) ++wrong;
        stored += 13;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  // A ledger shows all that went through it.
  ASSERT_TRUE(run(other->ledger().usage(open_account.id)));
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
  ASSERT_TRUE(run(ledger.record(account.id, 5, 0)));
  EXPECT_TRUE(run(ledger.correct(account.id, 9, usage(account.id).version)).value());
  EXPECT_EQ(usage(account.id).used_bytes, 9u);
}

TEST_P(LedgerTest, ALimitThatAnotherLoweredCountsAtOnce) {
  const auto account = add_account("ada");
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account.id, 40)));
  ASSERT_TRUE(run(ledger.record(account.id, 40, 30)));
  ASSERT_TRUE(run(ledger.reserve(account.id, 10)));
  AccountChange change;
  change.quota_bytes = 45;
  ASSERT_TRUE(run(beside()->accounts().change(account.id, change)));
  const bool is_known = beside() == catalog_.get();
  EXPECT_TRUE(is_known || run(ledger.usage(account.id))) << "ends what is lent";
  EXPECT_EQ(run(ledger.reserve(account.id, 10)).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(run(ledger.record(account.id, 10, 10)));
  EXPECT_EQ(run(ledger.reserve(account.id, 6)).error().code, ErrorCode::over_quota);
  EXPECT_TRUE(run(ledger.reserve(account.id, 5)));
}

TEST_P(LedgerTest, WhatIsLentAheadRefusesNobody) {
  const auto account = add_account("ada", 1 << 30);
  const auto other = open();
  ASSERT_TRUE(run(catalog_->ledger().reserve(account.id, 1)));
  ASSERT_TRUE(run(catalog_->ledger().record(account.id, 1, 1)));
  const auto all_but_the_lease = (std::uint64_t{1} << 30) - (16 << 20);
  EXPECT_TRUE(run(other->ledger().reserve(account.id, all_but_the_lease)));
  // Its own lease is not in the way.
  EXPECT_TRUE(run(catalog_->ledger().reserve(account.id, (16 << 20) - 1)));
  EXPECT_EQ(run(catalog_->ledger().reserve(account.id, 1)).error().code, ErrorCode::over_quota);
}

TEST_P(LedgerTest, OthersSeeTheFiguresSoon) {
  const auto account = add_account("ada");
  const auto other = open();
  ASSERT_TRUE(run(catalog_->ledger().reserve(account.id, 9)));
  ASSERT_TRUE(run(catalog_->ledger().record(account.id, 9, 7)));
  // Ends when the figures are there; a test that never ends is a failed one.
  Usage seen;
  while (seen.used_bytes != 7 || seen.reserved_bytes != 0) {
    seen = run(other->ledger().usage(account.id)).value();
  }
}

TEST_P(LedgerTest, WhoeverSettledSeesItWhileOthersWork) {
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    const AccountId account = add_account("account" + std::to_string(t)).id;
    threads.emplace_back([this, account, &wrong] {
      auto& ledger = catalog_->ledger();
      for (std::uint64_t i = 1; i <= 100; ++i) {
        if (!run(ledger.reserve(account, 10))) ++wrong;
        if (!run(ledger.record(account, 10, 3))) ++wrong;
        if (usage(account).used_bytes != 3 * i) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST_P(LedgerTest, AHeldAccountIsNotCorrected) {
  const auto account = add_account("full", 10);
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account.id, 10)));
  ASSERT_TRUE(run(ledger.record(account.id, 10, 10)));
  const auto other = open();
  ASSERT_TRUE(run(ledger.reserve_to_free(account.id)));
  const auto before = run(other->ledger().usage(account.id)).value();
  EXPECT_FALSE(run(other->ledger().correct(account.id, 3, before.version)).value());
  ASSERT_TRUE(run(ledger.record(account.id, 1, -7)));
  EXPECT_FALSE(run(other->ledger().correct(account.id, 3, before.version)).value());
  EXPECT_EQ(usage(account.id).used_bytes, 3u);
  EXPECT_EQ(usage(account.id).reserved_bytes, 0u);
}

/// Commands work beside a server that starts, and have no runs.
TEST_P(LedgerTest, AServerThatStartsLeavesWhatACommandHasReserved) {
  const auto account = add_account("full", 10);
  const auto command = open();
  ASSERT_TRUE(run(command->ledger().reserve(account.id, 4)));
  ASSERT_TRUE(run(command->ledger().record(account.id, 1, 1)));
  const auto reserved = usage(account.id).reserved_bytes;
  ASSERT_FALSE(run(catalog_->ledger().begin_run()).value());
  ASSERT_TRUE(run(catalog_->ledger().begin_run()).value());
  EXPECT_EQ(usage(account.id).reserved_bytes, reserved);
  ASSERT_TRUE(run(command->ledger().record(account.id, 3, 3)));
  EXPECT_EQ(run(command->ledger().usage(account.id))->reserved_bytes, 0u);
  EXPECT_EQ(usage(account.id).used_bytes, 4u);
}

TEST_P(LedgerTest, FiguresAreUnsureFromAnUncleanStopUntilTheyAreCounted) {
  const auto ada = add_account("ada");
  const auto bob = add_account("bob");
  auto& ledger = catalog_->ledger();
  const auto uncounted = [&] { return run(ledger.uncounted()).value(); };
  ASSERT_FALSE(run(ledger.begin_run()).value());
  EXPECT_TRUE(uncounted().empty());
  ASSERT_TRUE(run(ledger.begin_run()).value());
  EXPECT_EQ(uncounted(), (std::vector{std::min(ada.id, bob.id), std::max(ada.id, bob.id)}));
  EXPECT_EQ(run(ledger.correct(ada.id, 7, usage(ada.id).version)), true);
  EXPECT_EQ(uncounted(), std::vector{bob.id});
  // A clean stop in the middle forgets nothing.
  ASSERT_TRUE(run(ledger.end_run()));
  ASSERT_FALSE(run(ledger.begin_run()).value());
  EXPECT_EQ(uncounted(), std::vector{bob.id});
  EXPECT_EQ(run(ledger.correct(bob.id, 7, usage(bob.id).version + 1)), false);
  EXPECT_EQ(uncounted(), std::vector{bob.id});
  EXPECT_EQ(run(ledger.correct(bob.id, 7, usage(bob.id).version)), true);
  EXPECT_TRUE(uncounted().empty());
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
