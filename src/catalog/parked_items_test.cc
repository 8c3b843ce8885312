#include "catalog/parked_items.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class ParkedItemsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada");
  }
  ParkedItem item(const std::string& id) const {
    return {id,          account_.id,  "docs/a",     "a (not moved)", "/srv/one",
            "__adm_x/a", "/srv/other", "file 1 2 3", false,           "boot"};
  }
  ParkedItems& items() { return catalog_->parked_items(); }

  Account account_;
};
COFFER_ON_BOTH_DATABASES(ParkedItemsTest);

TEST_P(ParkedItemsTest, KeepsWhatItWasGiven) {
  ASSERT_TRUE(run(items().add(item("1"))));
  ASSERT_TRUE(run(items().add(item("2"))));
  ASSERT_TRUE(run(items().leave("2")));
  const auto all = run(items().all()).value();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].account, account_.id);
  EXPECT_EQ(all[0].path, "docs/a");
  EXPECT_EQ(all[0].parked_name, "a (not moved)");
  EXPECT_EQ(all[0].leads_to, "/srv/one");
  EXPECT_EQ(all[0].copy_path, "__adm_x/a");
  EXPECT_EQ(all[0].copy_leads_to, "/srv/other");
  EXPECT_EQ(all[0].copied, "file 1 2 3");
  EXPECT_EQ(all[0].boot, "boot");
  EXPECT_FALSE(all[0].is_leaving);
  EXPECT_TRUE(all[1].is_leaving);
  ASSERT_TRUE(run(items().drop("1")));
  EXPECT_EQ(run(items().all()).value().size(), 1U);
}

TEST_P(ParkedItemsTest, GoWithTheirAccount) {
  ASSERT_TRUE(run(items().add(item("1"))));
  ASSERT_TRUE(run(catalog_->accounts().remove(account_.id)));
  EXPECT_TRUE(run(items().all()).value().empty());
}

}  // namespace
}  // namespace coffer::catalog
