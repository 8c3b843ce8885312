#include "catalog/place_locks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "async/run.h"
#include "catalog/catalog.h"
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
  const std::unique_ptr<Catalog> one_ = Catalog::open_shared(url_, "one").value();
  const std::unique_ptr<Catalog> two_ = Catalog::open_shared(url_, "two").value();
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

TEST_F(PlaceLocksTest, AreFreeAfterTheirServerDied) {
  auto third = Catalog::open_shared(url_, "three").value();
  // The lock's session ends with the catalog.
  {
    const Hold held = take(*third, {{"a", Mode::exclusive}});
  }
  third.reset();
  (void)take(*one_, {{"a", Mode::exclusive}});
}

TEST(PlaceLocks, AreFreeWhereThereIsOneServer) {
  const std::string url = sql::PostgresServer::shared().make_database();
  const auto alone = Catalog::open_alone(url, "alone").value();
  const auto held = run(alone->folder_locks().acquire({{"a", Mode::exclusive}}));
  EXPECT_TRUE(run(alone->folder_locks().acquire({{"a", Mode::exclusive}})));
}

}  // namespace
}  // namespace coffer::catalog
