#include "catalog/database.h"

#include <spdlog/sinks/ostream_sink.h>
#include <sys/stat.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "async/run.h"
#include "base/log.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {
namespace {

class DatabaseTest : public CatalogTest {
 protected:
  std::string fresh_url() const {
    return GetParam() == Kind::sqlite ? "sqlite://" + (folder_.path() / "fresh.db").string()
                                      : sql::PostgresServer::shared().make_database();
  }
};
COFFER_ON_BOTH_DATABASES(DatabaseTest);

TEST_P(DatabaseTest, ManyMayOpenAnEmptyOneAtOnce) {
  const std::string url = fresh_url();
  std::atomic<int> opened = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto catalog = Catalog::open(url);
      if (catalog) ++opened;
      if (!catalog) ADD_FAILURE() << catalog.error().message;
    });
  }
  threads.clear();
  EXPECT_EQ(opened, 4);
}

TEST_P(DatabaseTest, FailedStatementHarmsNoLaterCall) {
  const auto database = Database::open(url_).value();
  auto job = [](sql::Connection& sql) -> Result<void> {
    sql.run("SELECT nothing FROM nowhere");
    return {};
  };
  EXPECT_FALSE(run(database->run(Lane::write, Turn::server(), job)));
  auto works = [](sql::Connection& sql) -> Result<void> {
    sql.run("UPDATE auth_generation SET value = value + 1");
    return {};
  };
  EXPECT_TRUE(run(database->run(Lane::write, Turn::server(), works)));
}

TEST_P(DatabaseTest, AWrongValueCostsNoConnection) {
  const auto database = Database::open(url_).value();
  const bool is_sqlite = url_.starts_with("sqlite");  // Which takes any text, in this process.
  const auto process = [&] {
    auto job = [is_sqlite](sql::Connection& sql) -> Result<std::int64_t> {
      return sql.only<std::int64_t>(is_sqlite ? "SELECT 0" : "SELECT pg_backend_pid()");
    };
    return run(database->run(Lane::write, Turn::server(), job)).value();
  };
  const auto before = process();
  auto wrong = [](sql::Connection& sql) -> Result<void> {
    sql.run("UPDATE accounts SET display_name = $1 WHERE id = 0", std::string("\xff"));
    return {};
  };
  EXPECT_EQ(run(database->run(Lane::write, Turn::server(), wrong)).has_value(), is_sqlite);
  EXPECT_EQ(process(), before);
}

/// Jobs that run in the background. The destructor waits for their ends.
class Jobs {
 public:
  Jobs(Database& database, Lane lane) : database_(database), lane_(lane) {}
  ~Jobs() { context_.run(); }

  void post(Turn turn, std::function<void()> work) {
    asio::co_spawn(context_, run_one(turn, std::move(work)), asio::detached);
    context_.poll();
  }

 private:
  Task<void> run_one(Turn turn, std::function<void()> work) {
    auto job = [&](sql::Connection&) -> Result<void> {
      work();
      return {};
    };
    EXPECT_TRUE(co_await database_.run(lane_, turn, job));
  }

  Database& database_;
  const Lane lane_;
  asio::io_context context_;
};

constexpr AccountId kAda{1};
constexpr AccountId kBob{2};

TEST_P(DatabaseTest, AccountsTakeTurnsWhereOneJobRunsAtOnce) {
  const auto database = Database::open(url_).value();
  for (const Lane lane : {Lane::write, Lane::ordered}) {
    std::string order;
    std::promise<void> released;
    {
      Jobs jobs(*database, lane);
      jobs.post(kAda, [&] { released.get_future().wait(); });
      for (int i = 0; i < 3; ++i) jobs.post(kAda, [&] { order += 'a'; });
      for (int i = 0; i < 2; ++i) jobs.post(kBob, [&] { order += 'b'; });
      jobs.post(Turn::of_change(kAda), [&] { order += 'c'; });
      released.set_value();
    }
    EXPECT_EQ(order, "bcabaa");
  }
}

TEST_P(DatabaseTest, AReaderIsLeftForOtherAccounts) {
  const auto database = Database::open(url_).value();
  std::promise<void> released;
  const auto wait = [done = released.get_future().share()] { done.wait(); };
  Jobs jobs(*database, Lane::read);
  for (int i = 0; i < 4; ++i) jobs.post(kAda, wait);
  const auto job = [](sql::Connection&) -> Result<int> { return 7; };
  EXPECT_EQ(run(database->run(Lane::read, kBob, job)).value(), 7);
  released.set_value();
}

TEST_P(DatabaseTest, SaysThatTheDiskIsFull) {
  const auto database = Database::open(url_).value();
  auto job = [&](sql::Connection& sql) -> Result<void> {
    if (GetParam() == Kind::sqlite) {
      sql.run_once("PRAGMA max_page_count = 1");  // As many as there are.
      sql.run_once("CREATE TABLE large AS SELECT zeroblob(1000000) AS content");
    } else {
      sql.run_once("DO 'BEGIN RAISE EXCEPTION ''Kein Platz'' USING ERRCODE = ''53100''; END'");
    }
    return {};
  };
  EXPECT_EQ(run(database->run(Lane::write, Turn::server(), job)).error(),
            (Error{ErrorCode::disk_full, "The disk is full."}));
}

TEST(DatabaseFile, IsPrivate) {
  const ScratchFolder folder;
  const auto file = folder.path() / "catalog.db";
  const auto catalog = Catalog::open("sqlite://" + file.string());
  ASSERT_TRUE(catalog) << catalog.error().message;
  struct stat status{};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(DatabaseAddress, ErrorsHideThePassword) {
  for (const std::string url : {"postgresql://u:hunter2@/x?host=/nonexistent",
                                "postgresql://u:hunter2@/x?bad", "mysql://u:hunter2@x"}) {
    const auto catalog = Catalog::open(url);
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().message.find("hunter2"), std::string::npos)
        << catalog.error().message;
  }
}

TEST(DatabaseConnection, ACanceledStatementMayBeTriedAgainAndAWrongOneMayNot) {
  const auto database = Database::open(sql::PostgresServer::shared().make_database()).value();
  const auto code = [&](const std::string& statement) {
    auto job = [&](sql::Connection& sql) -> Result<void> {
      sql.run_once("SET LOCAL statement_timeout = 100");
      sql.run_once(statement);
      return {};
    };
    return run(database->run(Lane::write, Turn::server(), job)).error().code;
  };
  EXPECT_EQ(code("SELECT pg_sleep(60)"), ErrorCode::unready);
  EXPECT_EQ(code("SELECT pg_terminate_backend(pg_backend_pid())"), ErrorCode::unready);
  EXPECT_EQ(code("SELECT nothing"), ErrorCode::failed);
}

TEST(DatabaseConnection, HealsWhenTheServerComesBack) {
  auto& server = sql::PostgresServer::shared();
  const auto catalog = Catalog::open(server.make_database()).value();
  ASSERT_TRUE(run(catalog->accounts().list()));
  server.stop();
  EXPECT_EQ(run(catalog->accounts().list()).error().code, ErrorCode::unready);
  EXPECT_EQ(run(catalog->accounts().add(NewAccount{"ada", "", Role::user, 0, ""})).error().code,
            ErrorCode::unready);
  server.start();
  EXPECT_TRUE(run(catalog->accounts().list()));
  EXPECT_TRUE(run(catalog->accounts().add(NewAccount{"ada", "", Role::user, 0, ""})));
}

TEST(DatabaseConnection, NoticesOfPostgresGoToTheLog) {
  const auto database = Database::open(sql::PostgresServer::shared().make_database()).value();
  std::ostringstream log;
  auto& sinks = spdlog::default_logger()->sinks();
  sinks.push_back(std::make_shared<spdlog::sinks::ostream_sink_mt>(log));
  testing::internal::CaptureStderr();
  auto job = [](sql::Connection& sql) -> Result<void> {
    sql.run_once("DO 'BEGIN RAISE WARNING ''first\nsecond''; END'");
    return {};
  };
  EXPECT_TRUE(run(database->run(Lane::write, Turn::server(), job)));
  const std::string printed = testing::internal::GetCapturedStderr();
  sinks.pop_back();
  EXPECT_NE(log.str().find("PostgreSQL: WARNING:  first second"), std::string::npos) << log.str();
  EXPECT_EQ(printed.find("WARNING:  first\n"), std::string::npos) << printed;
}

}  // namespace
}  // namespace coffer::catalog
