#include "catalog/upload_segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "async/run.h"
#include "base/clock.h"
#include "catalog/object_names.h"
#include "catalog/testing/test_catalog.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {
namespace {

using namespace std::chrono_literals;
using storage::UploadSegment;
using storage::UploadTurn;

constexpr storage::NameTreeId kTree{7};

class UploadSegmentsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada").id;
    ASSERT_TRUE(run(catalog_->ledger().begin_run()));
    ASSERT_TRUE(run(names().make_tree(kTree, "home")));
    begin_upload("a");
  }
  ObjectNames& names() { return catalog_->object_names(); }
  UploadSegments& segments() { return catalog_->upload_segments(); }
  Uploads& uploads() { return catalog_->uploads(); }

  void begin_upload(const std::string& id) {
    UploadRecord upload;
    upload.id = {id};
    upload.account = account_;
    upload.name = "file";
    upload.length_bytes = 1 << 30;
    upload.created_at = upload.touched_at = now();
    ASSERT_TRUE(run(uploads().create(upload, {9, 9, 9, 9})));
  }
  /// Segments that join, of new objects.
  std::vector<UploadSegment> drawn(std::uint64_t at_byte, std::vector<std::uint64_t> sizes) {
    std::vector<UploadSegment> made;
    for (const std::uint64_t size : sizes) {
      storage::Segment segment{run(names().draw_object()).value(), size};
      segment.sha256.fill(std::byte{static_cast<unsigned char>(at_byte + 200)});
      made.push_back({at_byte, std::move(segment)});
      at_byte += size;
    }
    return made;
  }
  Result<void> replace(const std::vector<UploadSegment>& made, std::int64_t turn = 0) {
    return run(segments().replace({UploadId{"a"}, turn}, made));
  }
  std::vector<UploadSegment> found(std::uint64_t offset = 0, std::size_t most = 100) {
    return run(segments().find(UploadId{"a"}, offset, most)).value();
  }
  std::vector<std::string> garbage(std::chrono::seconds grace = 0s) {
    auto objects = run(names().garbage(grace, 1000)).value();
    std::ranges::sort(objects);
    return objects;
  }
  static std::vector<std::string> objects_of(const std::vector<UploadSegment>& made) {
    std::vector<std::string> objects;
    for (const auto& one : made) objects.push_back(one.segment.object);
    std::ranges::sort(objects);
    return objects;
  }
  /// As after a crash.
  void begin_another_run() {
    catalog_ = nullptr;
    catalog_ = open();
    EXPECT_TRUE(run(catalog_->ledger().begin_run()).value());
  }
  storage::NewFile file(std::uint64_t size, std::string bytes = {}) {
    auto content = std::make_shared<storage::StoredContent>();
    content->id = run(names().draw_content()).value();
    content->size_bytes = size;
    content->bytes = std::move(bytes);
    return {.target = Path::parse("file").value(),
            .created_at = now(),
            .modified_at = now(),
            .content = std::move(content),
            .upload = UploadTurn{UploadId{"a"}, 0}};
  }
  Result<std::vector<storage::Published>> publish(const storage::NewFile& file,
                                                  std::uint64_t limit = UINT64_MAX) {
    return run(names().publish(kTree, std::span(&file, 1), limit));
  }
  storage::ContentId content_of_upload() {
    return run(uploads().find(account_, UploadId{"a"})).value().content;
  }

  AccountId account_{};
};
COFFER_ON_BOTH_DATABASES(UploadSegmentsTest);

TEST_P(UploadSegmentsTest, TheyAreFoundByTheByte) {
  EXPECT_TRUE(found().empty());
  const auto made = drawn(0, {10, 20, 30});
  ASSERT_TRUE(replace(made));
  EXPECT_EQ(found(), made);
  EXPECT_EQ(found(9, 1), std::vector(made.begin(), made.begin() + 1));
  EXPECT_EQ(found(10), std::vector(made.begin() + 1, made.end()));
  EXPECT_EQ(found(59), std::vector(made.begin() + 2, made.end()));
  EXPECT_TRUE(found(60).empty());
  EXPECT_EQ(run(segments().uploads()).value(), std::vector{UploadId{"a"}});
  EXPECT_TRUE(run(segments().find(UploadId{"b"}, 0, 9)).value().empty());
}

TEST_P(UploadSegmentsTest, ReplacedOnesAreGarbage) {
  const auto first = drawn(0, {10, 20, 30});
  ASSERT_TRUE(replace(first));
  const auto second = drawn(10, {5});
  ASSERT_TRUE(replace(second));
  EXPECT_EQ(found(), (std::vector{first[0], second[0]}));
  EXPECT_EQ(garbage(), objects_of({first[1], first[2]}));
  const auto third = drawn(15, {1});
  ASSERT_TRUE(replace(third));
  EXPECT_EQ(found().size(), 3U);
}

TEST_P(UploadSegmentsTest, TheyAreNoGarbageAfterTheirRun) {
  const auto made = drawn(0, {10, 20});
  ASSERT_TRUE(replace(made));
  const auto lost = drawn(30, {5});  // Its note was not written before the end.
  begin_another_run();
  const auto objects = garbage();
  EXPECT_TRUE(std::ranges::includes(objects, objects_of(lost)));
  for (const auto& object : objects_of(made)) {
    EXPECT_FALSE(std::ranges::binary_search(objects, object));
  }
  EXPECT_EQ(found(), made);
  ASSERT_TRUE(run(names().forget(objects)));
  EXPECT_FALSE(replace(lost)) << "its object may be gone";
  EXPECT_EQ(found(), made);
  ASSERT_TRUE(replace(drawn(30, {5})));
}

TEST_P(UploadSegmentsTest, AnObjectIsPartOfOneUpload) {
  const auto made = drawn(0, {10});
  ASSERT_TRUE(replace(made));
  begin_upload("b");
  EXPECT_EQ(run(segments().replace({UploadId{"b"}, 0}, made)).error().code, ErrorCode::failed);
  names().discard(objects_of(made));
  EXPECT_TRUE(garbage().empty());
  EXPECT_EQ(found(), made);
}

TEST_P(UploadSegmentsTest, RemovedOnesAreGarbage) {
  const auto made = drawn(0, std::vector<std::uint64_t>(300, 7));
  ASSERT_TRUE(replace(made));
  ASSERT_TRUE(run(uploads().remove(account_, {UploadId{"a"}, 0})));
  ASSERT_TRUE(run(segments().remove(UploadId{"a"})));
  ASSERT_TRUE(run(segments().remove(UploadId{"a"})));
  EXPECT_TRUE(found().empty());
  EXPECT_TRUE(run(segments().uploads()).value().empty());
  EXPECT_EQ(garbage(), objects_of(made));
}

/// The next with the same id has come before the bytes of the one before were removed.
TEST_P(UploadSegmentsTest, ThoseOfAnUploadThatIsThereStay) {
  const auto made = drawn(0, {10, 20});
  ASSERT_TRUE(replace(made));
  ASSERT_TRUE(run(segments().remove(UploadId{"a"})));
  EXPECT_EQ(found(), made);
}

TEST_P(UploadSegmentsTest, OnlyWhatReceivesTakesThem) {
  ASSERT_TRUE(run(uploads().begin_finishing(account_, {UploadId{"a"}, 0}, "file")));
  EXPECT_EQ(replace(drawn(0, {1})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(segments().replace({UploadId{"b"}, 0}, drawn(0, {1}))).error().code,
            ErrorCode::not_found);
}

TEST_P(UploadSegmentsTest, OnlyTheLastTurnReplacesThem) {
  change("UPDATE uploads SET turn = 2");
  EXPECT_EQ(replace(drawn(0, {1}), 1).error().code, ErrorCode::conflict);
  EXPECT_EQ(replace(drawn(0, {1}), 3).error().code, ErrorCode::conflict);
  EXPECT_TRUE(found().empty());
  EXPECT_TRUE(replace(drawn(0, {1}), 2));
}

TEST_P(UploadSegmentsTest, TheyBecomeThoseOfTheContent) {
  const auto made = drawn(0, {10, 20, 30});
  ASSERT_TRUE(replace(made));
  const auto whole = file(60);
  ASSERT_TRUE(publish(whole));
  EXPECT_TRUE(found().empty());
  EXPECT_EQ(content_of_upload(), whole.content->id);
  const auto opened = run(names().open(kTree, whole.target)).value();
  ASSERT_EQ(opened.content->segments.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(opened.content->segments[i], made[i].segment);
  ASSERT_TRUE(run(segments().remove(UploadId{"a"})));
  EXPECT_TRUE(garbage().empty());
  begin_another_run();
  for (const auto& object : garbage()) EXPECT_NE(object, made[0].segment.object);
  ASSERT_TRUE(run(names().remove(kTree, whole.target)));
  while (run(names().release_contents(100)).value()) continue;
  const auto objects = garbage();
  EXPECT_TRUE(std::ranges::includes(objects, objects_of(made)));
}

TEST_P(UploadSegmentsTest, OfASmallContentTheyAreGarbage) {
  const auto made = drawn(0, {2, 3});
  ASSERT_TRUE(replace(made));
  const auto small = file(5, "abcde");
  ASSERT_TRUE(publish(small));
  EXPECT_EQ(run(names().open(kTree, small.target)).value().content->bytes, "abcde");
  EXPECT_EQ(garbage(), objects_of(made));
  EXPECT_EQ(content_of_upload(), small.content->id);
}

TEST_P(UploadSegmentsTest, AFailedPublicationLeavesThem) {
  const auto made = drawn(0, {10, 20});
  ASSERT_TRUE(replace(made));
  EXPECT_EQ(publish(file(30), 29).error().code, ErrorCode::over_quota);
  EXPECT_EQ(publish(file(31)).error().code, ErrorCode::conflict);
  change("UPDATE uploads SET turn = 1");
  EXPECT_EQ(publish(file(30)).error().code, ErrorCode::conflict);
  EXPECT_EQ(found(), made);
  EXPECT_EQ(content_of_upload().value, 0);
  EXPECT_TRUE(garbage().empty());
  EXPECT_FALSE(run(names().stat(kTree, Path::parse("file").value())));
}

/// Two servers on one catalog.
class UploadTurnsTest : public testing::Test {
 protected:
  void SetUp() override {
    one_ = start("one");
    two_ = start("two");
    account_ = run(one_->accounts().add(NewAccount{"ada", "", Role::user, 1000, ""})).value().id;
    UploadRecord upload;
    upload.id = {"a"};
    upload.account = account_;
    upload.name = "file";
    upload.length_bytes = upload.quota_bytes = 100;
    upload.created_at = upload.touched_at = now();
    ASSERT_TRUE(run(one_->uploads().create(upload, {9, 9, 9, 9})));
  }
  std::unique_ptr<Catalog> start(const std::string& name) {
    auto catalog = Catalog::open_shared(url_, name).value();
    EXPECT_TRUE(run(catalog->ledger().begin_run("tag-of-" + name)));
    return catalog;
  }
  Result<std::optional<UploadRecord>> try_take(Catalog& catalog) {
    return run(catalog.uploads().take(account_, UploadId{"a"}));
  }
  UploadTurn take(Catalog& catalog) { return try_take(catalog).value().value().held(); }
  UploadRecord find() { return run(one_->uploads().find(account_, UploadId{"a"})).value(); }
  std::uint64_t reserved() { return run(one_->ledger().usage(account_)).value().reserved_bytes; }

  const std::string url_ = sql::PostgresServer::shared().make_database();
  std::unique_ptr<Catalog> one_;
  std::unique_ptr<Catalog> two_;
  AccountId account_{};
};

TEST_F(UploadTurnsTest, EveryNoteOfAnEarlierTurnFails) {
  const UploadTurn first = take(*one_);
  ASSERT_TRUE(run(one_->uploads().note_received(account_, first, 10)));
  const UploadTurn second = take(*two_);
  EXPECT_EQ(second.number, first.number + 1);
  Uploads& stale = one_->uploads();
  EXPECT_EQ(run(stale.note_received(account_, first, 50)).error().code, ErrorCode::conflict);
  EXPECT_EQ(run(stale.report_received(account_, first, 50)).error().code, ErrorCode::conflict);
  EXPECT_EQ(run(stale.hold(account_, first, 50, {})).error().code, ErrorCode::conflict);
  EXPECT_EQ(run(stale.begin_finishing(account_, first, "x")).error().code, ErrorCode::conflict);
  EXPECT_EQ(run(stale.note_outcome(account_, first, true)).error().code, ErrorCode::conflict);
  EXPECT_EQ(run(stale.remove(account_, first)).error().code, ErrorCode::conflict);
  EXPECT_EQ(find().received_bytes, 10U);
  ASSERT_TRUE(run(two_->uploads().begin_finishing(account_, second, "file")));
  EXPECT_EQ(run(stale.end(account_, first)).error().code, ErrorCode::conflict);
  EXPECT_EQ(run(stale.give_up_finishing(account_, first, 100)).error().code, ErrorCode::conflict);
  EXPECT_EQ(find().state, UploadState::finishing);
  EXPECT_EQ(reserved(), 100U);
  ASSERT_TRUE(run(two_->uploads().end(account_, second)));
}

TEST_F(UploadTurnsTest, OnesTakenAtOnceDiffer) {
  const UploadTurn first = take(*one_);
  const UploadTurn second = take(*two_);
  const UploadTurn third = take(*one_);
  EXPECT_LT(first.number, second.number);
  EXPECT_LT(second.number, third.number);
  EXPECT_EQ(run(one_->uploads().take(account_, UploadId{"b"})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(one_->uploads().take({account_.value + 1}, UploadId{"a"})).error().code,
            ErrorCode::not_found);
}

TEST_F(UploadTurnsTest, AnUploadThatIsBeingPublishedIsNotTakenFromALivingServer) {
  const UploadTurn first = take(*one_);
  ASSERT_TRUE(run(one_->uploads().begin_finishing(account_, first, "file")));
  EXPECT_FALSE(try_take(*two_).value());
  EXPECT_EQ(run(two_->uploads().remove(account_, first)).error().code, ErrorCode::conflict);
  EXPECT_EQ(find().turn, first.number);
  const UploadTurn again = take(*one_);
  ASSERT_TRUE(run(one_->uploads().give_up_finishing(account_, again, 100)));
  EXPECT_TRUE(try_take(*two_).value());
}

TEST_F(UploadTurnsTest, OneOfADeadServerIsTaken) {
  const UploadTurn first = take(*one_);
  ASSERT_TRUE(run(one_->uploads().begin_finishing(account_, first, "file")));
  one_.reset();
  // PostgreSQL ends its session, which holds the run's lock, a moment later.
  auto time = std::chrono::steady_clock::now();
  const auto limit = time + 20s;
  while (run(two_->run_watch().look(time)) != 1 && std::chrono::steady_clock::now() < limit) {
    time += RunWatch::kPeriod;
  }
  const auto taken = try_take(*two_).value();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->state, UploadState::interrupted);
  ASSERT_TRUE(run(two_->uploads().note_outcome(account_, taken->held(), false)));
  EXPECT_EQ(run(two_->uploads().find(account_, UploadId{"a"}))->state, UploadState::receiving);
}

}  // namespace
}  // namespace coffer::catalog
