#include "catalog/server_lock.h"

#include <gtest/gtest.h>

#include <atomic>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {
namespace {

class ServerLockTest : public CatalogTest {};
COFFER_ON_BOTH_DATABASES(ServerLockTest);

TEST_P(ServerLockTest, OneServerAtATimeBesideAnyNumberOfCommands) {
  auto first = Catalog::open_alone(url_, "the first");
  ASSERT_TRUE(first) << first.error().message;
  const auto second = Catalog::open_alone(url_, "the second");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::exists);
  EXPECT_NE(second.error().message.find("the first"), std::string::npos) << second.error().message;
  EXPECT_TRUE(open());
  first->reset();
  EXPECT_TRUE(Catalog::open_alone(url_, "the third"));
}

TEST_P(ServerLockTest, ACommandThatChangesTheSchemaKeepsServersOut) {
  const auto address = Address::parse(url_).value();
  using Mode = ServerLock::Mode;
  auto command = take_server_lock(address, Mode::shared, "one");
  ASSERT_TRUE(command) << command.error().message;
  EXPECT_TRUE(take_server_lock(address, Mode::shared, "another"));
  EXPECT_EQ(take_server_lock(address, Mode::alone, "server").error().code, ErrorCode::exists);
  command->reset();
  EXPECT_TRUE(take_server_lock(address, Mode::alone, "server"));
}

// As when the first server's lock was lost, and it does not know yet.
TEST(TakenOver, WritesNothingAndSaysSoOnce) {
  const std::string url = sql::PostgresServer::shared().make_database();
  const auto first = Catalog::open_alone(url, "the first").value();
  std::atomic<int> told = 0;
  first->on_taken_over([&] { ++told; });
  ASSERT_TRUE(run(first->ledger().begin_run()));
  const auto ada = run(first->accounts().add(NewAccount{"ada", "", Role::user, 0, ""})).value();
  ASSERT_TRUE(run(first->ledger().reserve(ada.id, 100)));
  const auto second = Catalog::open(url).value();
  EXPECT_TRUE(run(second->ledger().begin_run()).value());
  EXPECT_FALSE(run(first->accounts().add(NewAccount{"bob", "", Role::user, 0, ""})));
  EXPECT_FALSE(run(first->ledger().reserve(ada.id, 100 << 20)));
  // What it has stored stands, but the other server's count is the one that counts.
  EXPECT_TRUE(run(first->ledger().record(ada.id, 100, 100)));
  EXPECT_EQ(told, 1);
  const auto usage = run(second->ledger().usage(ada.id)).value();
  EXPECT_EQ(usage.used_bytes + usage.reserved_bytes, 0u);
  EXPECT_EQ(run(second->accounts().list())->size(), 1u);
  EXPECT_TRUE(run(second->ledger().end_run()));
}

}  // namespace
}  // namespace coffer::catalog
