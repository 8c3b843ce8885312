#include "catalog/place_locks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "async/run.h"
#include "catalog/catalog.h"
#include "catalog/database.h"
#include "sql/connection.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {
namespace {

using Mode = PlaceLocks::Mode;
using Hold = PlaceLocks::Hold;

/// Two servers on one catalog.
class PlaceLocksTest : public testing::Test {
 protected:
  static Hold take(Catalog& catalog, PlaceLocks::Places places) {
    return run(catalog.folder_locks().acquire(std::move(places))).value();
  }
  /// Waits for it on another thread.
  static std::future<Hold> ask(Catalog& catalog, PlaceLocks::Places places) {
    return std::async(std::launch::async, [&catalog, places] { return take(catalog, places); });
  }
  static bool is_waiting(const std::future<Hold>& asked) {
    return asked.wait_for(std::chrono::milliseconds(300)) == std::future_status::timeout;
  }

  const std::string url_ = sql::PostgresServer::shared().make_database();
  std::unique_ptr<Catalog> start(const std::string& name) const {
    auto catalog = Catalog::open_shared(url_, name).value();
    EXPECT_TRUE(run(catalog->ledger().begin_run("tag of " + name)));
    return catalog;
  }

  const std::unique_ptr<Catalog> one_ = start("one");
  const std::unique_ptr<Catalog> two_ = start("two");
};

TEST_F(PlaceLocksTest, ExcludeAnotherServer) {
  std::optional<Hold> held = take(*one_, {{"a", Mode::exclusive}});
  auto asked = ask(*two_, {{"a", Mode::shared}});
  EXPECT_TRUE(is_waiting(asked));
  const Hold other = take(*two_, {{"b", Mode::exclusive}});
  held.reset();
  (void)asked.get();
}

TEST_F(PlaceLocksTest, AreSharedByThoseThatWantNoMore) {
  std::optional<Hold> one = take(*one_, {{"a", Mode::shared}});
  std::optional<Hold> again = take(*one_, {{"a", Mode::shared}});
  std::optional<Hold> two = take(*two_, {{"a", Mode::shared}, {"b", Mode::exclusive}});
  auto asked = ask(*two_, {{"a", Mode::exclusive}});
  one.reset();
  two.reset();
  EXPECT_TRUE(is_waiting(asked)) << "one that joined a lock still has it";
  again.reset();
  (void)asked.get();
}

TEST_F(PlaceLocksTest, ArePassedOnHoweverManyPlacesAreLocked) {
  std::vector<Hold> held;
  for (int i = 0; i < 16; ++i) {
    held.push_back(take(*one_, {{fmt::format("place {}", i), Mode::exclusive}}));
  }
  auto asked = ask(*one_, {{"another", Mode::exclusive}});
  EXPECT_TRUE(is_waiting(asked));
  held.clear();
  (void)asked.get();
}

TEST_F(PlaceLocksTest, OfOnePlaceAreSharedWhereNoConnectionIsFree) {
  std::vector<Hold> held;
  held.push_back(take(*one_, {{"place", Mode::shared}}));
  for (int i = 0; i < 15; ++i) {
    held.push_back(take(*one_, {{fmt::format("place {}", i), Mode::exclusive}}));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(250));  // It is no longer young.
  held.push_back(take(*one_, {{"place", Mode::shared}}));
}

TEST_F(PlaceLocksTest, AreNotHadByOneWhoseRunWasEnded) {
  const auto database = Database::open(url_).value();
  auto end_all = [](sql::Connection& sql) -> Result<void> {
    sql.run("DELETE FROM runs");
    return {};
  };
  ASSERT_TRUE(run(database->run(Lane::write, Turn::server(), end_all)));
  const auto refused = run(one_->folder_locks().acquire({{"a", Mode::exclusive}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unready);
}

TEST(PlaceLocks, AreFreeWhereThereIsOneServer) {
  const std::string url = sql::PostgresServer::shared().make_database();
  const auto alone = Catalog::open_alone(url, "alone").value();
  const auto held = run(alone->folder_locks().acquire({{"a", Mode::exclusive}}));
  EXPECT_TRUE(run(alone->folder_locks().acquire({{"a", Mode::exclusive}})));
}

}  // namespace
}  // namespace coffer::catalog
