#include "catalog/audit.h"

#include "async/run.h"
#include "catalog/row_limits.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class AuditTest : public CatalogTest {
 protected:
  void note(const std::string& subject) {
    ASSERT_TRUE(run(catalog_->audit().add(AuditKind::session_refused, Actor(), subject)));
  }
  void note_of(const std::string& actor, const std::string& subject) {
    ASSERT_TRUE(run(catalog_->audit().add(AuditKind::share_created, Actor{actor, ""}, subject)));
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
  for (const auto* subject : {"a", "b", "c"}) note_of("ada", subject);
  ASSERT_TRUE(run(catalog_->audit().drop_old(kEarliest, 3)));
  EXPECT_EQ(subjects().size(), 3U);
  ASSERT_TRUE(run(catalog_->audit().drop_old(kEarliest, 2)));
  EXPECT_EQ(subjects(), (std::vector<std::string>{"c", "b"}));
}

TEST_P(AuditTest, WhoWritesMostLosesItsOldest) {
  for (const auto* subject : {"a", "b", "c"}) note_of("ada", subject);
  for (int i = 0; i < 20; ++i) note_of("ben", "x");
  ASSERT_TRUE(run(catalog_->audit().drop_old(kEarliest, 10)));
  EXPECT_EQ(subjects(),
            (std::vector<std::string>{"x", "x", "x", "x", "x", "x", "x", "c", "b", "a"}));
}

TEST_P(AuditTest, GuessesPushOutNoChange) {
  note_of("ada", "a");
  note_of("", "by a command");
  for (int i = 0; i < 20; ++i) note("ada");
  for (int i = 0; i < 20; ++i) note("");
  ASSERT_TRUE(run(catalog_->audit().drop_old(kEarliest, 6)));
  EXPECT_EQ(subjects(), (std::vector<std::string>{"", "", "ada", "ada", "by a command", "a"}));
}

TEST_P(AuditTest, LongTextsAreCut) {
  const std::string name = std::string(2 * kMostAuditBytes, 'x');
  note(name);
  EXPECT_EQ(subjects(), std::vector<std::string>{name.substr(0, kMostAuditBytes)});
}

TEST(FairLevelTest, IsWhatEachMayHave) {
  EXPECT_EQ(fair_level({}, 10), 10U);
  EXPECT_EQ(fair_level({3, 20}, 10), 7U);
  EXPECT_EQ(fair_level({20, 20}, 10), 5U);
  EXPECT_EQ(fair_level({1, 2, 30, 40}, 11), 4U);
  EXPECT_EQ(fair_level({1, 2}, 10), 10U);
  EXPECT_EQ(fair_level({5, 5, 5}, 2), 1U) << "each keeps its newest";
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
