#include "catalog/audit.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class AuditTest : public CatalogTest {
 protected:
  void note(const std::string& subject) {
    ASSERT_TRUE(run(catalog_->audit().add(AuditKind::session_refused, Actor(), subject)));
  }
  std::vector<std::string> subjects(AuditFilter filter = {}) {
    std::vector<std::string> found;
    const auto events = run(catalog_->audit().list(std::move(filter)));
    for (const AuditEvent& event : events.value()) found.push_back(event.subject);
    return found;
  }
};
COFFER_ON_BOTH_DATABASES(AuditTest);

TEST_P(AuditTest, TheNewestComeFirst) {
  for (const auto* subject : {"a", "b", "c"}) note(subject);
  EXPECT_EQ(subjects(), (std::vector<std::string>{"c", "b", "a"}));
  AuditFilter two;
  two.most = 2;
  const auto events = run(catalog_->audit().list(two)).value();
  two.after = AuditPlace{events.back().at, events.back().id};
  EXPECT_EQ(subjects(two), std::vector<std::string>{"a"});
}

TEST_P(AuditTest, TheOldestGoWhereThereAreTooMany) {
  for (const auto* subject : {"a", "b", "c"}) note(subject);
  ASSERT_TRUE(run(catalog_->audit().drop_old(kEarliest, 3)));
  EXPECT_EQ(subjects().size(), 3U);
  ASSERT_TRUE(run(catalog_->audit().drop_old(kEarliest, 2)));
  EXPECT_EQ(subjects(), (std::vector<std::string>{"c", "b"}));
}

TEST_P(AuditTest, OldOnesGo) {
  note("a");
  const auto between =
      run(catalog_->audit().list({})).value().front().at + std::chrono::nanoseconds(1);
  while (now() <= between) {
  }
  note("b");
  ASSERT_TRUE(run(catalog_->audit().drop_old(between, 100)));
  EXPECT_EQ(subjects(), std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace coffer::catalog
