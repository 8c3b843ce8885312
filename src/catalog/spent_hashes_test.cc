#include "catalog/spent_hashes.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

using namespace std::chrono_literals;

class SpentHashesTest : public CatalogTest {
 protected:
  static bool spend(Catalog& catalog, std::uint8_t hash, std::chrono::seconds left = 600s) {
    return run(catalog.sign_in_flows().spend(Turn::of("192.0.2.1"), hash_of(hash), now() + left))
        .value();
  }
};
COFFER_ON_BOTH_DATABASES(SpentHashesTest);

TEST_P(SpentHashesTest, AHashIsSpentOnceByAllServers) {
  EXPECT_TRUE(spend(*catalog_, 1));
  EXPECT_FALSE(spend(*catalog_, 1));
  EXPECT_FALSE(spend(*beside(), 1));
  EXPECT_TRUE(spend(*beside(), 2));
  EXPECT_FALSE(spend(*catalog_, 2));
}

TEST_P(SpentHashesTest, EachTableHasItsOwn) {
  EXPECT_TRUE(spend(*catalog_, 1));
  EXPECT_TRUE(
      run(catalog_->logout_tokens().spend(Turn::server(), hash_of(1), now() + 600s)).value());
}

TEST_P(SpentHashesTest, ExpiredOnesAreForgottenAndThoseBeyondTheLimit) {
  EXPECT_TRUE(spend(*catalog_, 1, -1s));
  EXPECT_TRUE(spend(*catalog_, 2, 100s));
  EXPECT_TRUE(spend(*catalog_, 3, 300s));
  EXPECT_TRUE(spend(*catalog_, 4, 200s));
  ASSERT_TRUE(run(catalog_->sign_in_flows().forget_beyond(2)));
  EXPECT_FALSE(spend(*catalog_, 3));
  EXPECT_FALSE(spend(*catalog_, 4));
  EXPECT_TRUE(spend(*catalog_, 1));
  EXPECT_TRUE(spend(*catalog_, 2));
}

}  // namespace
}  // namespace coffer::catalog
