#include "catalog/file_locks.h"

#include <chrono>

#include "async/run.h"
#include "catalog/audit.h"
#include "catalog/row_limits.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class FileLocksTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ada_ = add_account("ada");
    bob_ = add_account("bob");
  }
  FileLock lock(const std::string& token, const std::string& place) const {
    FileLock made;
    made.token = token;
    made.root = place.substr(0, place.find('/'));
    made.place = place;
    made.account = ada_.id;
    made.account_name = "ada";
    made.key = "key";
    made.owner = "<owner/>";
    made.created_at = timestamp_of(1'800'000'000);
    made.expires_at = now() + std::chrono::hours(1);
    return made;
  }
  FileLock deep(const std::string& token, const std::string& place) const {
    FileLock made = lock(token, place);
    made.is_deep = true;
    return made;
  }
  FileLock shared(const std::string& token, const std::string& place) const {
    FileLock made = lock(token, place);
    made.is_shared = true;
    return made;
  }
  FileLocks& locks() { return catalog_->file_locks(); }
  ErrorCode refusal_of(const FileLock& wanted) {
    const auto taken = run(locks().take(wanted));
    return taken ? ErrorCode::failed : taken.error().code;
  }
  std::size_t count(const std::string& root) { return run(locks().find(root)).value()->size(); }

  Account ada_;
  Account bob_;
};
COFFER_ON_BOTH_DATABASES(FileLocksTest);

TEST_P(FileLocksTest, KeepsWhatItWasGiven) {
  FileLock wanted = deep("1", "7/docs");
  wanted.is_shared = true;
  ASSERT_TRUE(run(locks().take(wanted)));
  const auto found = run(locks().find("7")).value();
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front(), wanted);
  // On PostgreSQL values are cached in servers, which watch the generation.
  EXPECT_EQ(locks().find_now("7") == found, GetParam() == Kind::sqlite);
  EXPECT_EQ(count("8"), 0U);
}

TEST_P(FileLocksTest, AChangeEndsWhatIsCached) {
  EXPECT_EQ(count("7"), 0U);
  EXPECT_EQ(locks().find_now("7") != nullptr, GetParam() == Kind::sqlite);
  ASSERT_TRUE(run(locks().take(lock("1", "7/a"))));
  EXPECT_EQ(locks().find_now("7"), nullptr);
  EXPECT_EQ(count("7"), 1U);
}

TEST_P(FileLocksTest, OneThatGivesWayEndsForOneThatDoesNot) {
  const auto giving = [this](const std::string& token, const Account& account, bool is_shared) {
    FileLock made = lock(token, "7/new");
    made.account = account.id;
    made.is_shared = is_shared;
    made.gives_way = true;
    return made;
  };
  ASSERT_TRUE(run(locks().take(giving("1", bob_, true))));
  // The next lock of its account takes its place, but no other that gives way.
  EXPECT_EQ(refusal_of(giving("x", ada_, false)), ErrorCode::locked);
  ASSERT_TRUE(run(locks().take(giving("2", bob_, false))));
  EXPECT_EQ(count("7"), 1U);
  EXPECT_EQ(refusal_of(giving("x", bob_, false)), ErrorCode::locked);
  EXPECT_EQ(run(locks().find("7")).value()->front().token, "2");
  ASSERT_TRUE(run(locks().take(deep("3", "7"))));
  EXPECT_EQ(run(locks().find("7")).value()->front().token, "3");
  EXPECT_EQ(count("7"), 1U);
}

TEST_P(FileLocksTest, OneThatGivesWayDoesNotStandBesideOneThatDoesNot) {
  for (const char* token : {"1", "2"}) {
    FileLock giving = lock(token, "7/new");
    giving.account = bob_.id;
    giving.is_shared = true;
    giving.gives_way = true;
    ASSERT_TRUE(run(locks().take(giving)));
  }
  EXPECT_EQ(count("7"), 2U);
  FileLock shared = lock("3", "7/new");
  shared.is_shared = true;
  ASSERT_TRUE(run(locks().take(shared)));
  EXPECT_EQ(run(locks().find("7")).value()->front().token, "3");
  EXPECT_EQ(count("7"), 1U);
}

TEST_P(FileLocksTest, EndsThoseThatAreNamed) {
  const FileLock one = lock("1", "7/a");
  ASSERT_TRUE(run(locks().take(one)));
  ASSERT_TRUE(run(locks().take(lock("2", "7/b"))));
  ASSERT_TRUE(run(locks().end({one})));
  EXPECT_EQ(run(locks().find("7")).value()->front().token, "2");
  EXPECT_EQ(count("7"), 1U);
}

TEST_P(FileLocksTest, OneIsInTheWayOfAnother) {
  ASSERT_TRUE(run(locks().take(deep("1", "7/docs"))));
  ASSERT_TRUE(run(locks().take(lock("2", "7/flat"))));
  EXPECT_EQ(refusal_of(lock("x", "7/docs")), ErrorCode::locked);
  EXPECT_EQ(refusal_of(lock("x", "7/docs/a/b")), ErrorCode::locked);
  EXPECT_EQ(refusal_of(shared("x", "7/docs/a")), ErrorCode::locked);
  EXPECT_EQ(refusal_of(deep("x", "7")), ErrorCode::locked);
  EXPECT_TRUE(run(locks().take(lock("3", "7/docs2"))));
  EXPECT_TRUE(run(locks().take(lock("4", "7/flat/a"))));
  EXPECT_TRUE(run(locks().take(lock("5", "7"))));
}

TEST_P(FileLocksTest, SharedOnesAreNotInEachOthersWay) {
  for (std::size_t i = 0; i < kMostLocksOfItem; ++i) {
    ASSERT_TRUE(run(locks().take(shared(std::to_string(i), "7/a"))));
  }
  EXPECT_EQ(refusal_of(shared("x", "7/a")), ErrorCode::rate_limited);
  EXPECT_EQ(refusal_of(lock("x", "7/a")), ErrorCode::locked);
  EXPECT_TRUE(run(locks().take(shared("y", "7/b"))));
}

TEST_P(FileLocksTest, AnAccountHasABound) {
  for (std::size_t i = 0; i < kMostLocks; ++i) {
    ASSERT_TRUE(run(locks().take(lock(std::to_string(i), "7/" + std::to_string(i)))));
  }
  EXPECT_EQ(refusal_of(lock("x", "7/x")), ErrorCode::rate_limited);
  FileLock of_bob = lock("y", "7/y");
  of_bob.account = bob_.id;
  EXPECT_TRUE(run(locks().take(of_bob)));
}

TEST_P(FileLocksTest, OnlyItsAccountRefreshesAndReleases) {
  ASSERT_TRUE(run(locks().take(lock("1", "7/a"))));
  const Timestamp later = now() + std::chrono::hours(2);
  EXPECT_EQ(run(locks().refresh(bob_.id, "1", later)).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(locks().release(bob_.id, "1")).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(locks().refresh(ada_.id, "1", later)).value().expires_at, later);
  EXPECT_EQ(run(locks().find("7")).value()->front().expires_at, later);
  EXPECT_TRUE(run(locks().release(ada_.id, "1")));
  EXPECT_EQ(run(locks().release(ada_.id, "1")).error().code, ErrorCode::not_found);
  EXPECT_EQ(count("7"), 0U);
}

TEST_P(FileLocksTest, OneThatIsBrokenIsInTheAuditLog) {
  const FileLock taken = lock("1", "7/a");
  ASSERT_TRUE(run(locks().take(taken)));
  EXPECT_EQ(run(locks().find_by_token("1")).value(), taken);
  EXPECT_EQ(run(locks().find_by_token("2")).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(locks().break_lock(bob_.id, taken, "/a", std::nullopt)));
  EXPECT_EQ(count("7"), 0U);
  EXPECT_EQ(run(locks().break_lock(bob_.id, taken, "/a", std::nullopt)).error().code,
            ErrorCode::not_found);
  AuditFilter filter;
  filter.kind = AuditKind::lock_broken;
  const auto events = run(catalog_->audit().list(filter)).value();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events.front().subject, "ada");
  EXPECT_TRUE(events.front().details.starts_with("/a, locked since ")) << events.front().details;
}

TEST_P(FileLocksTest, AnExpiredOneIsInNoOnesWay) {
  FileLock old = lock("1", "7/a");
  old.expires_at = now() - std::chrono::seconds(1);
  ASSERT_TRUE(run(locks().take(old)));
  EXPECT_EQ(run(locks().find_by_token("1")).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(locks().refresh(ada_.id, "1", now())).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(locks().take(old)));
  EXPECT_TRUE(run(locks().take(lock("2", "7/a"))));
  EXPECT_EQ(count("7"), 1U);
}

TEST_P(FileLocksTest, TheExpiredAreSwept) {
  FileLock old = lock("1", "7/a");
  old.expires_at = now() - std::chrono::seconds(1);
  ASSERT_TRUE(run(locks().take(lock("2", "7/b"))));
  ASSERT_TRUE(run(locks().take(old)));
  ASSERT_TRUE(run(locks().forget_expired()));
  const auto left = run(locks().find("7")).value();
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->front().token, "2");
}

TEST_P(FileLocksTest, ThoseOfWhatIsGoneEnd) {
  ASSERT_TRUE(run(locks().take(lock("1", "7/docs"))));
  ASSERT_TRUE(run(locks().take(lock("2", "7/docs/a"))));
  ASSERT_TRUE(run(locks().take(lock("3", "7/docs2"))));
  ASSERT_TRUE(run(locks().forget("7", "7/docs")));
  const auto left = run(locks().find("7")).value();
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->front().token, "3");
}

}  // namespace
}  // namespace coffer::catalog
