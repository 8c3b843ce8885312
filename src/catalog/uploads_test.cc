#include "catalog/uploads.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class UploadsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada", 1000);
    ASSERT_TRUE(run(catalog_->ledger().begin_run()));
  }

  UploadRecord make(const std::string& id, std::uint64_t bytes) const {
    UploadRecord upload;
    upload.id.value = id;
    upload.account = account_.id;
    upload.folder = "docs";
    upload.name = "a.txt";
    upload.metadata = "filename YS50eHQ=";
    upload.length_bytes = upload.quota_bytes = bytes;
    upload.created_at = upload.touched_at = now();
    return upload;
  }
  Uploads& uploads() { return catalog_->uploads(); }
  Result<void> create(const std::string& id, std::uint64_t bytes, std::size_t most = 10) {
    return run(uploads().create(make(id, bytes), {most, most}));
  }
  UploadRecord find(const std::string& id) {
    return run(uploads().find(account_.id, UploadId{id})).value();
  }
  std::uint64_t reserved() {
    return run(catalog_->ledger().usage(account_.id)).value().reserved_bytes;
  }
  /// As after a crash.
  void begin_another_run() {
    catalog_ = nullptr;
    catalog_ = open();
    EXPECT_TRUE(run(catalog_->ledger().begin_run()).value());
  }

  Account account_;
};
COFFER_ON_BOTH_DATABASES(UploadsTest);

TEST_P(UploadsTest, ItIsKeptAsItWasMade) {
  UploadRecord made = make("a", 100);
  made.on_conflict = OnConflict::keep_both;
  made.modified_at = timestamp_of(1'000'000'000);
  ASSERT_TRUE(run(uploads().create(made, {10, 10})));
  const UploadRecord found = find("a");
  EXPECT_EQ(found.folder, "docs");
  EXPECT_EQ(found.name, "a.txt");
  EXPECT_EQ(found.on_conflict, OnConflict::keep_both);
  EXPECT_EQ(found.metadata, made.metadata);
  EXPECT_EQ(found.modified_at, made.modified_at);
  EXPECT_EQ(found.length_bytes, 100U);
  EXPECT_EQ(found.state, UploadState::receiving);
  const auto other = add_account("bob");
  EXPECT_EQ(run(uploads().find(other.id, UploadId{"a"})).error().code, ErrorCode::not_found);
}

TEST_P(UploadsTest, QuotaIsHeldFromTheCreationOn) {
  ASSERT_TRUE(create("a", 600));
  EXPECT_EQ(reserved(), 600U);
  EXPECT_EQ(create("b", 401).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(create("b", 400));
  EXPECT_EQ(run(catalog_->ledger().reserve(account_.id, 1)).error().code, ErrorCode::over_quota);
  begin_another_run();
  EXPECT_EQ(reserved(), 1000U);
  ASSERT_TRUE(run(uploads().remove(UploadId{"a"})));
  ASSERT_TRUE(run(uploads().remove(UploadId{"a"})));
  EXPECT_EQ(reserved(), 400U);
}

TEST_P(UploadsTest, AnAccountHasOnlySoManyThatAreNotDone) {
  ASSERT_TRUE(create("a", 1, 2));
  ASSERT_TRUE(create("b", 1, 2));
  EXPECT_EQ(create("c", 1, 2).error().code, ErrorCode::rate_limited);
  ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"a"}, "a.txt")));
  ASSERT_TRUE(run(uploads().end(UploadId{"a"})));
  EXPECT_TRUE(create("c", 1, 2));
}

TEST_P(UploadsTest, WhatIsReceivingDoesNotKeepTheFigureFromBeingCorrected) {
  ASSERT_TRUE(create("a", 600));
  auto& ledger = catalog_->ledger();
  const auto version = run(ledger.usage(account_.id)).value().version;
  EXPECT_TRUE(run(ledger.correct(account_.id, 77, version)).value());
  ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"a"}, "a.txt")));
  const auto later = run(ledger.usage(account_.id)).value();
  EXPECT_EQ(later.used_bytes, 77U);
  EXPECT_FALSE(run(ledger.correct(account_.id, 78, later.version)).value());
}

TEST_P(UploadsTest, FinishingHandsTheQuotaToTheRun) {
  ASSERT_TRUE(create("a", 600));
  ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"a"}, "a.txt")));
  EXPECT_EQ(find("a").received_bytes, 599U);
  EXPECT_EQ(reserved(), 600U);
  ASSERT_TRUE(run(uploads().give_up_finishing(UploadId{"a"}, 600)));
  EXPECT_EQ(find("a").state, UploadState::receiving);
  ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"a"}, "a.txt")));
  ASSERT_TRUE(run(catalog_->ledger().record(account_.id, 600, 600)));
  ASSERT_TRUE(run(uploads().end(UploadId{"a"})));
  const auto usage = run(catalog_->ledger().usage(account_.id)).value();
  EXPECT_EQ(usage.reserved_bytes, 0U);
  EXPECT_EQ(usage.used_bytes, 600U);
  EXPECT_EQ(find("a").received_bytes, 600U);
  begin_another_run();
  EXPECT_EQ(reserved(), 0U);
}

TEST_P(UploadsTest, ACrashWhileItFinishesLeavesItsQuotaHeld) {
  for (const bool is_shown : {false, true}) {
    ASSERT_TRUE(create("a", 600));
    ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"a"}, "a (2).txt")));
    begin_another_run();
    EXPECT_EQ(reserved(), 600U);
    const auto interrupted = run(uploads().interrupted()).value();
    ASSERT_EQ(interrupted.size(), 1U);
    EXPECT_EQ(interrupted[0].shown_name, "a (2).txt");
    ASSERT_TRUE(run(uploads().note_outcome(UploadId{"a"}, is_shown)));
    EXPECT_EQ(reserved(), is_shown ? 0U : 600U);
    EXPECT_EQ(find("a").state, is_shown ? UploadState::done : UploadState::receiving);
    ASSERT_TRUE(run(uploads().remove(UploadId{"a"})));
  }
}

TEST_P(UploadsTest, WhatCouldNotBeNotedIsHeldAgain) {
  ASSERT_TRUE(create("a", 600));
  ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"a"}, "a.txt")));
  ASSERT_TRUE(run(catalog_->ledger().record(account_.id, 600, 0)));
  EXPECT_EQ(reserved(), 0U);
  ASSERT_TRUE(run(uploads().note_outcome(UploadId{"a"}, false)));
  EXPECT_EQ(reserved(), 600U);
  EXPECT_EQ(find("a").state, UploadState::receiving);
}

TEST_P(UploadsTest, WhatWasNotTouchedIsFound) {
  ASSERT_TRUE(create("a", 1));
  ASSERT_TRUE(create("b", 1));
  ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"b"}, "b.txt")));
  ASSERT_TRUE(run(uploads().end(UploadId{"b"})));
  const Timestamp later = now() + std::chrono::hours(1);
  const auto ids = [&](Timestamp unfinished, Timestamp done) {
    std::string all;
    const auto found = run(uploads().untouched_since(unfinished, done)).value();
    for (const UploadRecord& one : found) all += one.id.value;
    return all;
  };
  EXPECT_EQ(ids(Timestamp{}, Timestamp{}), "");
  EXPECT_EQ(ids(Timestamp{}, later), "b");
  EXPECT_EQ(ids(later, later), "ab");
  EXPECT_EQ(run(uploads().unfinished_ids()).value(), std::set<std::string>{"a"});
}

TEST_P(UploadsTest, TheyGoWithTheirAccount) {
  ASSERT_TRUE(create("a", 1));
  ASSERT_TRUE(run(catalog_->accounts().remove(account_.id)));
  EXPECT_TRUE(run(uploads().unfinished_ids()).value().empty());
  EXPECT_EQ(create("b", 1).error().code, ErrorCode::not_found);
}

TEST_P(UploadsTest, OnlyWhatIsReceivingReceives) {
  ASSERT_TRUE(create("a", 10));
  ASSERT_TRUE(run(uploads().report_received(UploadId{"a"}, 3)));
  EXPECT_EQ(find("a").received_bytes, 3U);
  ASSERT_TRUE(run(uploads().note_received(UploadId{"a"}, 9)));
  ASSERT_TRUE(run(uploads().begin_finishing(UploadId{"a"}, "a.txt")));
  EXPECT_EQ(run(uploads().note_received(UploadId{"a"}, 4)).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace coffer::catalog
