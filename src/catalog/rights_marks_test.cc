#include "catalog/rights_marks.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class RightsMarksTest : public CatalogTest {
 protected:
  RightsMark mark() { return run(catalog_->rights_marks().read()).value(); }
};
COFFER_ON_BOTH_DATABASES(RightsMarksTest);

TEST_P(RightsMarksTest, AreOthersOnceAnyProcessChangedARight) {
  Catalog* const other = beside();
  const auto ada = add_account("ada").id;
  const RightsMark first = mark();
  AccountChange change;
  change.disabled = true;
  run(other->accounts().change(ada, std::move(change))).value();
  const RightsMark second = mark();
  EXPECT_NE(second, first);
  NewConnector fresh{ada, ConnectorKind::ftp, "nas", "", "ftp://host", "{}", "", false};
  run(other->connectors().create(std::move(fresh))).value();
  const RightsMark third = mark();
  EXPECT_NE(third.mounts, second.mounts);
  EXPECT_EQ(third.credentials, second.credentials);
}

TEST_P(RightsMarksTest, AreTheSameWhileOtherThingsChange) {
  const auto ada = add_account("ada").id;
  const RightsMark first = mark();
  run(catalog_->tasks().note(Tasks::new_id(), {ada, TaskKind::copy, "a", "b"})).value();
  run(catalog_->ledger().reserve(ada, 10)).value();
  run(catalog_->ledger().record(ada, 10, 10)).value();
  EXPECT_EQ(mark(), first);
}

}  // namespace
}  // namespace coffer::catalog
