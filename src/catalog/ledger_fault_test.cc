#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "async/run.h"
#include "catalog/database.h"
#include "catalog/ledger.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {
namespace {

constexpr std::uint64_t kLongestFile = std::uint64_t{1} << 56;

class LedgerFaultTest : public CatalogTest {
 protected:
  Usage usage(AccountId account) { return run(catalog_->ledger().usage(account)).value(); }
  void change(const std::string& statement) {
    const auto database = Database::open(url_).value();
    auto job = [&](sql::Connection& sql) -> Result<void> {
      sql.run_once(statement);
      return {};
    };
    ASSERT_TRUE(run(database->run(Lane::write, Turn::server(), job)));
  }
};
COFFER_ON_BOTH_DATABASES(LedgerFaultTest);

TEST_P(LedgerFaultTest, NoNumberOfReservationsOverflows) {
  const auto greedy = add_account("greedy");
  const auto other = add_account("other");
  auto& ledger = catalog_->ledger();
  std::uint64_t reserved = 0;
  for (int i = 0; i < 200; ++i) {
    const auto done = run(ledger.reserve(greedy.id, kLongestFile));
    if (done) reserved += kLongestFile;
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::over_quota);
    }
  }
  EXPECT_GT(reserved, 0u);
  EXPECT_EQ(usage(greedy.id).reserved_bytes, reserved);
  ASSERT_TRUE(run(ledger.reserve_to_free(greedy.id)));
  ASSERT_TRUE(run(ledger.reserve(other.id, 10)));
  ASSERT_TRUE(run(ledger.record(other.id, 10, 10)));
  ASSERT_TRUE(run(ledger.record(greedy.id, 1, 0)));
  for (; reserved > 0; reserved -= kLongestFile) {
    ASSERT_TRUE(run(ledger.record(greedy.id, kLongestFile, 0)));
  }
  EXPECT_EQ(usage(greedy.id).reserved_bytes, 0u);
  EXPECT_EQ(usage(other.id).used_bytes, 10u);
}

TEST_P(LedgerFaultTest, OneThatFailsTakesNoOtherOfItsBatchWithIt) {
  const auto bad = add_account("bad");
  const auto good = add_account("good");
  change("UPDATE quota_usage SET used_bytes = -9223372036854775807 WHERE account_id = " +
         std::to_string(bad.id.value));
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      auto& ledger = catalog_->ledger();
      for (int i = 0; i < 25; ++i) {
        if (t % 2 != 0) {
          (void)run(ledger.reserve(bad.id, 100));  // Fails on PostgreSQL, whose sums are checked.
        } else if (!run(ledger.reserve(good.id, 7)) || !run(ledger.record(good.id, 7, 5))) {
          ++wrong;
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(usage(good.id).used_bytes, 4u * 25 * 5);
  EXPECT_EQ(usage(good.id).reserved_bytes, 0u);
}

TEST_P(LedgerFaultTest, ABrokenSumIsMendedWhenARunBegins) {
  const auto account = add_account("ada", 100);
  change("UPDATE quota_usage SET reserved_bytes = 9223372036854775807");
  EXPECT_FALSE(run(catalog_->ledger().begin_run()).value());
  EXPECT_EQ(usage(account.id).reserved_bytes, 0u);
  EXPECT_TRUE(run(catalog_->ledger().reserve(account.id, 100)));
  EXPECT_TRUE(run(catalog_->ledger().record(account.id, 100, 0)));
  EXPECT_TRUE(run(catalog_->ledger().end_run()));
}

// Ends when the figures are there; a test that never ends is a failed one.
void expect_soon(Ledger& ledger, AccountId account, std::uint64_t used) {
  for (;;) {
    const auto seen = run(ledger.usage(account)).value();
    if (seen.used_bytes == used && seen.reserved_bytes == 0) return;
  }
}

TEST(LedgerWithoutDatabase, OwesWhatHappenedUntilItIsWritten) {
  auto& server = sql::PostgresServer::shared();
  const std::string url = server.make_database();
  const auto catalog = Catalog::open(url).value();
  const auto ada = run(catalog->accounts().add(NewAccount{"ada", "", Role::user, 0, ""})).value();
  auto& ledger = catalog->ledger();
  ASSERT_TRUE(run(ledger.begin_run()));
  ASSERT_TRUE(run(ledger.reserve(ada.id, 100)));
  ASSERT_TRUE(run(ledger.reserve(ada.id, 50)));
  server.stop();
  EXPECT_FALSE(run(ledger.reserve(ada.id, 100 << 20))) << "more than is lent";
  EXPECT_TRUE(run(ledger.record(ada.id, 100, 70)));
  EXPECT_TRUE(run(ledger.record(ada.id, 50, 0)));
  EXPECT_TRUE(run(ledger.record(ada.id, 0, -10)));
  server.start();
  // Another process sees it without any further call of the first.
  expect_soon(Catalog::open(url).value()->ledger(), ada.id, 60);
  EXPECT_EQ(run(ledger.usage(ada.id))->used_bytes, 60u);
  EXPECT_TRUE(run(ledger.end_run()));
}

TEST(LedgerWithoutDatabase, EndsWithItsCatalogAlthoughItOwes) {
  auto& server = sql::PostgresServer::shared();
  auto catalog = Catalog::open(server.make_database()).value();
  const auto ada = run(catalog->accounts().add(NewAccount{"ada", "", Role::user, 0, ""})).value();
  ASSERT_TRUE(run(catalog->ledger().reserve(ada.id, 100)));
  server.stop();
  EXPECT_TRUE(run(catalog->ledger().record(ada.id, 100, 70)));
  EXPECT_FALSE(run(catalog->ledger().end_run()));
  catalog.reset();
  server.start();
}

}  // namespace
}  // namespace coffer::catalog
