#include "catalog/uploads.h"

#include "async/run.h"
#include "catalog/row_limits.h"
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
  static Uploads::Most most_of(std::size_t count) { return {count, count, count, count}; }
  /// Of a guest from `address`, who holds nothing yet.
  UploadRecord make_of_guest(const std::string& id, const std::string& link,
                             const std::string& address) const {
    UploadRecord upload = make(id, 100);
    upload.quota_bytes = 0;
    upload.link = link;
    upload.address = address;
    return upload;
  }
  UploadRecord make_to_mount(const std::string& id, std::uint64_t bytes) const {
    UploadRecord upload = make(id, bytes);
    upload.folder = "__adm_0/docs";
    upload.quota_bytes = 0;
    return upload;
  }
  Result<void> hold(const std::string& id, std::uint64_t bytes, RoomLimit room = {}) {
    return run(uploads().hold(account_.id, turn_of(id), bytes, room));
  }
  /// That of a request on the only server.
  static storage::UploadTurn turn_of(const std::string& id) { return {UploadId{id}, 0}; }
  std::string ids_of(const std::vector<UploadRecord>& found) {
    std::string all;
    for (const UploadRecord& one : found) all += one.id.value;
    return all;
  }
  Uploads& uploads() { return catalog_->uploads(); }
  Result<void> create(const std::string& id, std::uint64_t bytes, std::size_t most = 10) {
    return run(uploads().create(make(id, bytes), most_of(most)));
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
  ASSERT_TRUE(run(uploads().create(made, most_of(10))));
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
  ASSERT_TRUE(run(uploads().remove(account_.id, turn_of("a"))));
  ASSERT_TRUE(run(uploads().remove(account_.id, turn_of("a"))));
  EXPECT_EQ(reserved(), 400U);
}

TEST_P(UploadsTest, OneIsMadeOfAnIdWhateverTheQuota) {
  ASSERT_TRUE(create("a", 600));
  EXPECT_EQ(create("a", 100).error().code, ErrorCode::unready);
  EXPECT_EQ(create("a", 600).error().code, ErrorCode::unready);  // And not over_quota.
  EXPECT_EQ(reserved(), 600U);
}

TEST_P(UploadsTest, AnAccountHasOnlySoManyThatAreNotDone) {
  ASSERT_TRUE(create("a", 1, 2));
  ASSERT_TRUE(create("b", 1, 2));
  EXPECT_EQ(create("c", 1, 2).error().code, ErrorCode::rate_limited);
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  ASSERT_TRUE(run(uploads().end(account_.id, turn_of("a"))));
  EXPECT_TRUE(create("c", 1, 2));
}

TEST_P(UploadsTest, WhatIsReceivingDoesNotKeepTheFigureFromBeingCorrected) {
  ASSERT_TRUE(create("a", 600));
  auto& ledger = catalog_->ledger();
  const auto version = run(ledger.usage(account_.id)).value().version;
  EXPECT_TRUE(run(ledger.correct(account_.id, 77, version)).value());
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  const auto later = run(ledger.usage(account_.id)).value();
  EXPECT_EQ(later.used_bytes, 77U);
  EXPECT_FALSE(run(ledger.correct(account_.id, 78, later.version)).value());
}

TEST_P(UploadsTest, FinishingHandsTheQuotaToTheRun) {
  ASSERT_TRUE(create("a", 600));
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  EXPECT_EQ(find("a").received_bytes, 599U);
  EXPECT_EQ(reserved(), 600U);
  ASSERT_TRUE(run(uploads().give_up_finishing(account_.id, turn_of("a"), 600)));
  EXPECT_EQ(find("a").state, UploadState::receiving);
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  ASSERT_TRUE(run(catalog_->ledger().record(account_.id, 600, 600)));
  ASSERT_TRUE(run(uploads().end(account_.id, turn_of("a"))));
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
    ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a (2).txt")));
    begin_another_run();
    EXPECT_EQ(reserved(), 600U);
    const auto interrupted = run(uploads().interrupted()).value();
    ASSERT_EQ(interrupted.size(), 1U);
    EXPECT_EQ(interrupted[0].shown_name, "a (2).txt");
    ASSERT_TRUE(run(uploads().note_outcome(account_.id, turn_of("a"), is_shown)));
    EXPECT_EQ(reserved(), is_shown ? 0U : 600U);
    EXPECT_EQ(find("a").state, is_shown ? UploadState::done : UploadState::receiving);
    ASSERT_TRUE(run(uploads().remove(account_.id, turn_of("a"))));
  }
}

TEST_P(UploadsTest, WhatCouldNotBeNotedIsHeldAgain) {
  ASSERT_TRUE(create("a", 600));
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  ASSERT_TRUE(run(catalog_->ledger().record(account_.id, 600, 0)));
  EXPECT_EQ(reserved(), 0U);
  ASSERT_TRUE(run(uploads().note_outcome(account_.id, turn_of("a"), false)));
  EXPECT_EQ(reserved(), 600U);
  EXPECT_EQ(find("a").state, UploadState::receiving);
}

TEST_P(UploadsTest, OneThatWasPublishedUnawaresIsDone) {
  const auto publish_unawares = [&] {
    ASSERT_TRUE(create("a", 600));
    ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
    change("UPDATE uploads SET content = 5 WHERE id = 'a'");
  };
  const auto is_done = [&] {
    EXPECT_EQ(find("a").state, UploadState::done);
    EXPECT_EQ(find("a").received_bytes, 600U);
    EXPECT_EQ(reserved(), 0U);
    EXPECT_EQ(run(catalog_->ledger().uncounted()).value(), std::vector{account_.id});
    ASSERT_TRUE(run(uploads().remove(account_.id, turn_of("a"))));
  };
  publish_unawares();
  ASSERT_TRUE(run(uploads().give_up_finishing(account_.id, turn_of("a"), 600)));
  is_done();
  publish_unawares();
  begin_another_run();
  EXPECT_EQ(reserved(), 600U);
  ASSERT_TRUE(run(uploads().note_outcome(account_.id, turn_of("a"), false)));
  is_done();
}

TEST_P(UploadsTest, OnTheOnlyServerATurnCostsNothing) {
  ASSERT_TRUE(create("a", 100));
  for (int i = 0; i < 2; ++i) {
    const auto taken = run(uploads().take(account_.id, UploadId{"a"})).value();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->turn, 0);
  }
}

TEST_P(UploadsTest, WhatWasNotTouchedIsFound) {
  ASSERT_TRUE(create("a", 1));
  ASSERT_TRUE(create("b", 1));
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("b"), "b.txt")));
  ASSERT_TRUE(run(uploads().end(account_.id, turn_of("b"))));
  const Timestamp later = now() + std::chrono::hours(1);
  const auto ids = [&](Uploads::Untouched since) {
    return ids_of(run(uploads().untouched_since(since)).value());
  };
  EXPECT_EQ(ids({}), "");
  EXPECT_EQ(ids({.done = later}), "b");
  EXPECT_EQ(ids({.own = later}), "ab");
  EXPECT_EQ(run(uploads().unfinished_ids()).value(), std::set<std::string>{"a"});
}

TEST_P(UploadsTest, OnlySoManyFinishedOnesAreKept) {
  const auto finish = [&](const std::string& id) {
    ASSERT_TRUE(create(id, 1));
    ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of(id), "a.txt")));
    ASSERT_TRUE(run(uploads().end(account_.id, turn_of(id))));
  };
  finish("first");
  finish("second");
  ASSERT_TRUE(create("receiving", 1));
  change("UPDATE uploads SET link_id = 'x' WHERE id = 'second'");
  change(
      "INSERT INTO uploads (id, account_id, folder, name, shown_name, on_conflict, metadata, "
      "length_bytes, received_bytes, quota_bytes, state, created_at, touched_at) "
      "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1100) "
      "SELECT 'u' || n, account_id, folder, name, shown_name, on_conflict, metadata, length_bytes, "
      "received_bytes, 0, state, created_at, touched_at + n FROM uploads, numbers "
      "WHERE id = 'first'");
  finish("last");
  EXPECT_EQ(run(uploads().find(account_.id, UploadId{"first"})).error().code, ErrorCode::not_found);
  EXPECT_EQ(find("second").state, UploadState::done) << "guests' uploads are counted apart";
  EXPECT_EQ(find("receiving").state, UploadState::receiving);
  EXPECT_EQ(find("last").state, UploadState::done);
  const Timestamp later = now() + std::chrono::hours(1);
  EXPECT_EQ(run(uploads().untouched_since({.done = later})).value().size(), kMostDoneUploads + 1);
}

TEST_P(UploadsTest, TheyGoWithTheirAccount) {
  ASSERT_TRUE(create("a", 1));
  ASSERT_TRUE(run(catalog_->accounts().remove(account_.id)));
  EXPECT_TRUE(run(uploads().unfinished_ids()).value().empty());
  EXPECT_EQ(create("b", 1).error().code, ErrorCode::not_found);
}

TEST_P(UploadsTest, OnlyWhatIsReceivingReceives) {
  ASSERT_TRUE(create("a", 10));
  ASSERT_TRUE(run(uploads().report_received(account_.id, turn_of("a"), 3)));
  EXPECT_EQ(find("a").received_bytes, 3U);
  ASSERT_TRUE(run(uploads().note_received(account_.id, turn_of("a"), 9)));
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  EXPECT_EQ(run(uploads().note_received(account_.id, turn_of("a"), 4)).error().code,
            ErrorCode::not_found);
}

TEST_P(UploadsTest, ThoseOfGuestsAreFoundEarlier) {
  ASSERT_TRUE(create("a", 1));
  for (const char* id : {"b", "c"}) {
    ASSERT_TRUE(run(uploads().create(make_of_guest(id, "link", "192.0.2.1"), most_of(10))));
  }
  ASSERT_TRUE(run(uploads().note_received(account_.id, turn_of("c"), 1)));
  const Timestamp later = now() + std::chrono::hours(1);
  const auto ids = [&](Uploads::Untouched since) {
    return ids_of(run(uploads().untouched_since(since)).value());
  };
  EXPECT_EQ(ids({.only_begun = later}), "b");
  EXPECT_EQ(ids({.of_guests = later}), "bc");
}

TEST_P(UploadsTest, LentBytesStayBelowWhatIsUsed) {
  auto& ledger = catalog_->ledger();
  ASSERT_TRUE(run(ledger.reserve(account_.id, 900)));
  ASSERT_TRUE(run(ledger.record(account_.id, 900, 900)));
  ASSERT_EQ(run(ledger.usage(account_.id)).value().used_bytes, 900U);
  const auto lend = [&](const std::string& id, std::uint64_t bytes) {
    UploadRecord upload = make(id, bytes);
    upload.quota_bytes = 0;
    upload.lent_bytes = bytes;
    return run(uploads().create(upload, most_of(10)));
  };
  ASSERT_TRUE(lend("a", 500));
  EXPECT_EQ(lend("b", 401).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(lend("b", 400));
  EXPECT_EQ(lend("c", 1).error().code, ErrorCode::over_quota);
  EXPECT_EQ(reserved(), 0U);
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  EXPECT_EQ(lend("c", 1).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(run(ledger.reserve(account_.id, 100)));
  ASSERT_TRUE(run(uploads().give_up_finishing(account_.id, turn_of("a"), 100)));
  EXPECT_EQ(find("a").lent_bytes, 400U);
  ASSERT_TRUE(lend("c", 100));
  ASSERT_TRUE(run(uploads().remove(account_.id, turn_of("b"))));
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("c"), "c.txt")));
  ASSERT_TRUE(run(uploads().end(account_.id, turn_of("c"))));
  EXPECT_EQ(find("c").lent_bytes, 0U);
  EXPECT_TRUE(lend("d", 500));
}

TEST_P(UploadsTest, AGuestHoldsWhatComes) {
  ASSERT_TRUE(run(uploads().create(make_of_guest("a", "link", "192.0.2.1"), most_of(10))));
  EXPECT_EQ(reserved(), 0U);
  ASSERT_TRUE(hold("a", 60));
  EXPECT_EQ(reserved(), 60U);
  ASSERT_TRUE(hold("a", 40));
  EXPECT_EQ(reserved(), 40U);
  ASSERT_TRUE(create("b", 950));
  EXPECT_EQ(hold("a", 51).error().code, ErrorCode::over_quota);
  EXPECT_EQ(find("a").quota_bytes, 40U);
  begin_another_run();
  EXPECT_EQ(reserved(), 990U);
  ASSERT_TRUE(run(uploads().remove(account_.id, turn_of("a"))));
  EXPECT_EQ(reserved(), 950U);
  EXPECT_EQ(hold("a", 1).error().code, ErrorCode::not_found);
  ASSERT_TRUE(hold("b", 1));
  EXPECT_EQ(reserved(), 950U);  // An account's own upload has reserved all from the beginning.
}

TEST_P(UploadsTest, WhatWaitsForMountsIsBoundedTogether) {
  const auto begin = [&](const std::string& id, std::uint64_t bytes) {
    return run(uploads().create(make_to_mount(id, bytes), most_of(10), {.bytes = 1000}));
  };
  EXPECT_EQ(begin("a", 1001).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(begin("a", 600));
  ASSERT_TRUE(begin("b", 1000));
  ASSERT_TRUE(hold("a", 600, {.bytes = 1000}));
  EXPECT_EQ(hold("b", 401, {.bytes = 1000}).error().code, ErrorCode::over_quota);
  EXPECT_EQ(hold("b", 400, {.bytes = 1000, .other_bytes = 1}).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(hold("b", 400, {.bytes = 1000}));
  EXPECT_TRUE(hold("b", 400, {.bytes = 900}));  // It does not grow.
  EXPECT_EQ(reserved(), 0U);
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("a"), "a.txt")));
  EXPECT_EQ(hold("b", 401, {.bytes = 1000}).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(run(uploads().end(account_.id, turn_of("a"))));
  EXPECT_TRUE(hold("b", 1000, {.bytes = 1000}));
  // Without a limit in bytes: a quarter of what is free and what is there already.
  EXPECT_TRUE(hold("b", 1500, {.free_bytes = 5000}));
  EXPECT_EQ(hold("b", 1626, {.free_bytes = 5000}).error().code, ErrorCode::over_quota);
}

TEST_P(UploadsTest, WhatTheFirstToAMountNeedsStaysFree) {
  UploadRecord of_guest = make_to_mount("a", 900);
  of_guest.link = "link";
  ASSERT_TRUE(run(uploads().create(of_guest, most_of(10), {.bytes = 1000})));
  for (const char* id : {"b", "c"}) {
    UploadRecord upload = make_to_mount(id, 600);
    upload.created_at = timestamp_of(2'000'000'000 + *id);
    ASSERT_TRUE(run(uploads().create(upload, most_of(10), {.bytes = 1000})));
  }
  // Guests keep nothing free by what they only announce.
  ASSERT_TRUE(hold("a", 1, {.bytes = 1000}));
  ASSERT_TRUE(hold("b", 1, {.bytes = 1000}));
  EXPECT_EQ(hold("c", 400, {.bytes = 1000}).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(hold("c", 399, {.bytes = 1000}));
  ASSERT_TRUE(hold("b", 600, {.bytes = 1000}));
  EXPECT_EQ(hold("c", 400, {.bytes = 1000}).error().code, ErrorCode::over_quota);
  ASSERT_TRUE(run(uploads().remove(account_.id, turn_of("b"))));
  EXPECT_TRUE(hold("c", 600, {.bytes = 1000}));
}

TEST_P(UploadsTest, GuestsHaveOnlySoManyByLinkAndAddress) {
  constexpr Uploads::Most kMost{1, 3, 2, 4};
  const auto begin = [&](const std::string& id, const std::string& link,
                         const std::string& address) {
    return run(uploads().create(make_of_guest(id, link, address), kMost)).has_value();
  };
  EXPECT_TRUE(begin("a", "one", "192.0.2.1"));
  EXPECT_TRUE(begin("b", "one", "192.0.2.1"));
  EXPECT_FALSE(begin("c", "one", "192.0.2.1"));
  EXPECT_TRUE(begin("c", "one", "192.0.2.2"));
  EXPECT_FALSE(begin("d", "one", "192.0.2.3"));
  EXPECT_TRUE(begin("d", "two", "192.0.2.1"));
  EXPECT_FALSE(begin("e", "two", "192.0.2.1"));
  EXPECT_TRUE(run(uploads().create(make("e", 1), kMost)));
  EXPECT_FALSE(run(uploads().create(make("f", 1), kMost)));
}

TEST_P(UploadsTest, TheyAreListedByFolder) {
  for (const char* id : {"a", "b", "c", "d"}) {
    UploadRecord upload = make(id, 1);
    upload.created_at = timestamp_of(1'000'000'000 + id[0]);
    if (*id == 'b') upload.folder = "docs/sub";
    if (*id == 'c') upload.folder = "docs2";
    ASSERT_TRUE(run(uploads().create(upload, most_of(10))));
  }
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("d"), "d")));
  ASSERT_TRUE(run(uploads().end(account_.id, turn_of("d"))));
  const auto ids = [&](const std::string& within, std::optional<Uploads::Position> after,
                       std::size_t most) {
    return ids_of(run(uploads().list(account_.id, *Path::parse(within), after, most)).value());
  };
  EXPECT_EQ(ids("", {}, 10), "cba");
  EXPECT_EQ(ids("", {}, 2), "cb");
  EXPECT_EQ(ids("", Uploads::Position{find("b").created_at, "b"}, 2), "a");
  EXPECT_EQ(ids("docs", {}, 10), "ba");
  EXPECT_EQ(ids("docs/sub", {}, 10), "b");
  const auto other = add_account("bob");
  EXPECT_TRUE(run(uploads().list(other.id, Path(), {}, 10)).value().empty());
}

TEST_P(UploadsTest, WhatDoesNotLieInTheFolderOfItsLinkIsFound) {
  NewLink wanted;
  wanted.key.account = account_.id;
  wanted.key.hash = hash_of(1);
  wanted.key.folder = *Path::parse("docs");
  wanted.is_folder = true;
  wanted.mode = LinkMode::upload;
  const Link link = run(catalog_->links().create(wanted, 9)).value();
  for (const char* id : {"a", "b", "c"}) {
    UploadRecord upload = make_of_guest(id, link.key.id.value, "");
    if (*id == 'b') upload.folder = "docs/sub";
    if (*id == 'c') upload.folder = "docs2";
    ASSERT_TRUE(run(uploads().create(upload, most_of(10))));
  }
  EXPECT_EQ(ids_of(run(uploads().unreachable()).value()), "c");
  ASSERT_TRUE(run(catalog_->links().end(account_.id, link.key.id, {})));
  EXPECT_EQ(ids_of(run(uploads().unreachable()).value()), "abc");
}

TEST_P(UploadsTest, OneThatCanBeFinishedAgainIsNotRemoved) {
  ASSERT_TRUE(create("a", 1));
  ASSERT_TRUE(run(uploads().create(make_of_guest("b", "no link", ""), most_of(10))));
  EXPECT_EQ(run(uploads().remove_unreachable(account_.id, UploadId{"a"})), Result<bool>(false));
  EXPECT_EQ(run(uploads().remove_unreachable(account_.id, UploadId{"b"})), Result<bool>(true));
  EXPECT_EQ(run(uploads().remove_unreachable(account_.id, UploadId{"b"})), Result<bool>(false));
  EXPECT_TRUE(run(uploads().find(account_.id, UploadId{"a"})));
  EXPECT_FALSE(run(uploads().find(account_.id, UploadId{"b"})));
}

TEST_P(UploadsTest, WhatNobodyCanFinishIsFound) {
  ASSERT_TRUE(create("a", 1));
  ASSERT_TRUE(run(uploads().create(make_of_guest("b", "no link", ""), most_of(10))));
  ASSERT_TRUE(run(uploads().create(make_to_mount("c", 1), most_of(10), {.bytes = 9})));
  UploadRecord far = make_to_mount("d", 1);
  far.folder = "__conn_0";
  ASSERT_TRUE(run(uploads().create(far, most_of(10), {.bytes = 9})));
  EXPECT_EQ(ids_of(run(uploads().unreachable()).value()), "bcd");
  ASSERT_TRUE(run(uploads().begin_finishing(account_.id, turn_of("c"), "c")));
  EXPECT_EQ(ids_of(run(uploads().unreachable()).value()), "bd");
  begin_another_run();
  EXPECT_EQ(ids_of(run(uploads().unreachable()).value()), "bcd");
}

}  // namespace
}  // namespace coffer::catalog
