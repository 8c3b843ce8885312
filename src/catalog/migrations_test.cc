#include "catalog/migrations.h"

#include <fmt/format.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "async/run.h"
#include "catalog/database.h"
#include "catalog/session.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {
namespace {

/// What a program knows: the migrations of this one, and some of its own.
class Program {
 public:
  explicit Program(std::vector<Migration> more = {}) {
    known_.assign(migrations().begin(), migrations().end());
    known_.insert(known_.end(), more.begin(), more.end());
  }
  auto open(const std::string& url, Servers beside = Servers::several) const {
    return Database::open(url, beside, "a server of a test", known_);
  }

 private:
  std::vector<Migration> known_;
};

const Migration kAddsAColumn{9001,
                             "-- Kind: adding\n"
                             "ALTER TABLE accounts ADD COLUMN added TEXT NOT NULL DEFAULT 'x';\n"};
const Migration kAddsATable{9002,
                            "-- Kind: adding\nCREATE TABLE added_too (id BIGINT NOT NULL);\n"};
const Migration kBreaks{9003, "ALTER TABLE accounts DROP COLUMN added;\n"};
const Migration kFailsInTheMiddle{9001,
                                  "-- Kind: adding\n"
                                  "ALTER TABLE accounts ADD COLUMN added TEXT;\n"
                                  "SELECT nothing FROM nowhere;\n"};

const Program kFirst;
const Program kSecond{{kAddsAColumn}};
const Program kThird{{kAddsAColumn, kAddsATable}};
const Program kFourth{{kAddsAColumn, kAddsATable, kBreaks}};

class MigrationsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    catalog_.reset();
  }
  static Result<std::int64_t> count(Database& database, const std::string& what) {
    auto job = [&what](sql::Connection& sql) -> Result<std::int64_t> {
      return sql.only<std::int64_t>("SELECT count(*) FROM " + what);
    };
    return run(database.run(Lane::read, Turn::server(), job));
  }
  static Result<void> change(Database& database, const std::string& statement) {
    auto job = [&statement](sql::Connection& sql) -> Result<void> {
      sql.run_once(statement);
      return {};
    };
    return run(database.run(Lane::write, Turn::server(), job));
  }
};

class SharedMigrationsTest : public MigrationsTest {};
INSTANTIATE_TEST_SUITE_P(Databases, SharedMigrationsTest, testing::Values(Kind::postgresql),
                         [](const auto&) { return "postgresql"; });
COFFER_ON_BOTH_DATABASES(MigrationsTest);

TEST_P(SharedMigrationsTest, ServersOfEarlierProgramsRunWhileALaterOneAdds) {
  const auto first = kFirst.open(url_).value();
  const auto third = kThird.open(url_);
  ASSERT_TRUE(third) << third.error().message;
  EXPECT_TRUE(change(*first, "UPDATE auth_generation SET value = value + 1"));
  EXPECT_EQ(count(*first, "accounts").value(), 0);
  EXPECT_EQ(count(**third, "added_too").value(), 0);
  EXPECT_TRUE(kSecond.open(url_)) << "one in between has nothing to add";
  EXPECT_TRUE(kFirst.open(url_)) << "an earlier one starts again";
}

TEST_P(SharedMigrationsTest, SeveralMayStartOnAnEmptyDatabaseAtOnce) {
  const std::string url = sql::PostgresServer::shared().make_database();
  std::vector<std::future<Result<std::unique_ptr<Database>>>> starting;
  for (int i = 0; i < 3; ++i) {
    starting.push_back(std::async(std::launch::async, [&] { return kFirst.open(url); }));
  }
  std::vector<Result<std::unique_ptr<Database>>> started;  // All serve until the last has started.
  for (auto& one : starting) started.push_back(one.get());
  for (const auto& one : started) EXPECT_TRUE(one) << one.error().message;
}

TEST_P(SharedMigrationsTest, CommandsOfALaterProgramAddToo) {
  const auto first = kFirst.open(url_).value();
  EXPECT_TRUE(kSecond.open(url_, Servers::any));
  EXPECT_EQ(count(*first, "schema_migrations WHERE version = 9001").value(), 1);
}

TEST_P(SharedMigrationsTest, WhatBreaksWantsAllServersToBeStopped) {
  auto first = kFirst.open(url_).value();
  const auto refused = kFourth.open(url_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::exists);
  EXPECT_EQ(count(*first, "schema_migrations WHERE version > 9000").value(), 0)
      << "nor was anything added";
  first.reset();
  EXPECT_TRUE(kFourth.open(url_));
  for (const Program* earlier : {&kFirst, &kSecond, &kThird}) {
    const auto opened = earlier->open(url_);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("newer"), std::string::npos) << opened.error().message;
  }
}

TEST_P(SharedMigrationsTest, ASchemaOfWhichNobodyNotedWhatBreaksIsRefused) {
  const auto first = kFirst.open(url_).value();
  ASSERT_TRUE(change(*first, "DELETE FROM shared_facts"));
  ASSERT_TRUE(change(*first, "INSERT INTO schema_migrations VALUES (9001, 0)"));
  EXPECT_FALSE(kFirst.open(url_));
  EXPECT_TRUE(kSecond.open(url_));
}

TEST_P(MigrationsTest, ManyMayAddAtOnce) {
  std::atomic<int> opened = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto database = kThird.open(url_, Servers::any);
      if (database) ++opened;
      if (!database) ADD_FAILURE() << database.error().message;
    });
  }
  threads.clear();
  EXPECT_EQ(opened, 4);
}

TEST_P(MigrationsTest, WhatFailsInTheMiddleLeavesNothing) {
  const auto first = kFirst.open(url_, Servers::any).value();
  EXPECT_FALSE(Program({kFailsInTheMiddle}).open(url_, Servers::any));
  EXPECT_FALSE(count(*first, "accounts WHERE added IS NULL"));
  EXPECT_TRUE(kSecond.open(url_, Servers::any));
}

TEST_P(MigrationsTest, ALaterSchemaIsRefusedWhereOneServerIsAll) {
  if (GetParam() != Kind::sqlite) return;
  EXPECT_TRUE(kSecond.open(url_, Servers::none));
  EXPECT_FALSE(kFirst.open(url_, Servers::none));
}

TEST_P(SharedMigrationsTest, NobodyWaitsBehindAChangeThatWaits) {
  const auto first = kFirst.open(url_).value();
  const auto holder = open_session(Address::parse(url_).value(), Durability::synced);
  holder->begin("BEGIN");
  holder->run_once("LOCK TABLE accounts IN ACCESS SHARE MODE");
  holder->flush();
  auto adding = std::async(std::launch::async, [&] { return kSecond.open(url_); });
  const std::string waiting = "pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'";
  while (count(*first, waiting).value_or(0) == 0) std::this_thread::yield();
  // Readers that had to wait for the holder would be ended by their time limit.
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(count(*first, "accounts"));
  holder->roll_back();
  const auto added = adding.get();
  EXPECT_TRUE(added) << added.error().message;
}

}  // namespace
}  // namespace coffer::catalog
