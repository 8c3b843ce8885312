#include "catalog/kept_versions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "async/run.h"
#include "base/clock.h"
#include "catalog/database.h"
#include "catalog/object_names.h"
#include "catalog/row_limits.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"
#include "storage/partial_name.h"

namespace coffer::catalog {
namespace {

using namespace std::chrono_literals;
using storage::NewFile;
using storage::PastVersion;
using storage::Published;
using storage::TreeSize;
using storage::VersionId;

constexpr storage::NameTreeId kTree{7};
constexpr storage::NameTreeId kOther{8};
constexpr std::uint64_t kNoLimit = UINT64_MAX;

class KeptVersionsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ASSERT_TRUE(run(names().make_tree(kTree, "home")));
    ASSERT_TRUE(run(names().make_tree(kOther, "other")));
    versions().keep(3);
  }
  ObjectNames& names() { return catalog_->object_names(); }
  KeptVersions& versions() { return *names().versions(); }
  static Path path(std::string_view text) { return Path::parse(text).value(); }

  /// A file whose content is these bytes, or one object of so many.
  NewFile file(std::string_view target, std::string bytes, std::uint64_t object_bytes = 0) {
    auto content = std::make_shared<storage::StoredContent>();
    content->id = run(names().draw_content()).value();
    content->size_bytes = bytes.size() + object_bytes;
    if (object_bytes > 0) {
      content->segments.push_back({run(names().draw_object()).value(), object_bytes, {}});
    }
    content->bytes = std::move(bytes);
    storage::WriteOptions options;
    options.by = {"ada", "key7"};
    return {.target = path(target),
            .options = std::move(options),
            .created_at = now(),
            .modified_at = Timestamp(1'000'000'000s),
            .content = std::move(content)};
  }
  Result<std::vector<Published>> publish(const NewFile& file, std::uint64_t limit = kNoLimit) {
    return run(names().publish(kTree, std::span(&file, 1), limit));
  }
  /// Publishes the bytes and returns by how much the tree has shrunk.
  std::uint64_t write(std::string_view target, std::string bytes) {
    const auto published = publish(file(target, std::move(bytes)));
    EXPECT_TRUE(published);
    return published ? published->front().replaced_bytes : 0;
  }
  std::vector<PastVersion> list(std::string_view target) {
    return run(versions().list(kTree, path(target))).value();
  }
  std::string read(std::string_view target) {
    return run(names().open(kTree, path(target)))->content->bytes;
  }
  std::string read(VersionId id) { return run(versions().open(kTree, id))->content->bytes; }
  /// The contents of the versions, the one that was replaced last first.
  std::vector<std::string> contents(std::string_view target) {
    std::vector<std::string> all;
    for (const auto& version : list(target)) all.push_back(read(version.id));
    return all;
  }
  Result<storage::Restored> restore(std::string_view target, VersionId id,
                                    const storage::WriteOptions& options = {}) {
    return run(versions().restore(kTree, path(target), id, options));
  }
  std::uint64_t total() { return run(versions().total_bytes(kTree)).value(); }
  TreeSize size(std::string_view target = "") {
    return run(names().measure(kTree, path(target))).value();
  }
  void collect() {
    while (run(names().take_apart_removed(100)).value()) continue;
    while (run(names().release_contents(100)).value()) continue;
  }
  long long count(const std::string& what) {
    const auto database = Database::open(url_).value();
    auto job = [&](sql::Connection& sql) -> Result<long long> {
      return sql.only<long long>("SELECT count(*) FROM " + what);
    };
    return run(database->run(Lane::read, Turn::server(), job)).value();
  }
  /// The figures of all nodes are those of their versions.
  void expect_right_figures() {
    EXPECT_EQ(count("nodes n WHERE versions <> (SELECT count(*) FROM versions v WHERE v.node = "
                    "n.id) OR version_bytes <> (SELECT coalesce(sum(v.size_bytes), 0) FROM "
                    "versions v WHERE v.node = n.id)"),
              0);
  }
};
COFFER_ON_BOTH_DATABASES(KeptVersionsTest);

TEST_P(KeptVersionsTest, AnOverwriteKeepsWhatItReplaces) {
  const Timestamp before = now();
  write("file", "first");
  EXPECT_TRUE(list("file").empty());
  EXPECT_EQ(write("file", "second one"), 0U);
  const auto versions = list("file");
  ASSERT_EQ(versions.size(), 1U);
  EXPECT_EQ(versions[0].size_bytes, 5U);
  EXPECT_EQ(versions[0].modified_at, Timestamp(1'000'000'000s));
  EXPECT_GE(versions[0].replaced_at, before);
  EXPECT_EQ(versions[0].by, (storage::Author{"ada", "key7"}));
  EXPECT_EQ(read(versions[0].id), "first");
  EXPECT_EQ(read("file"), "second one");
  EXPECT_EQ(size(), (TreeSize{10, 1, 1, 5}));
  expect_right_figures();
}

TEST_P(KeptVersionsTest, AFileHasSoManyAtMost) {
  write("file", "0");
  for (const std::string text : {"1", "2", "3"}) EXPECT_EQ(write("file", text), 0U);
  EXPECT_EQ(write("file", "4"), 1U);
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"3", "2", "1"}));
  versions().keep(1);
  EXPECT_EQ(write("file", "5"), 3U);
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"4"}));
  versions().keep(0);
  EXPECT_EQ(write("file", "6"), 1U);
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"4"}));
  expect_right_figures();
}

TEST_P(KeptVersionsTest, EmptyContentsAndContentsWithoutRoomAreNotKept) {
  write("file", "");
  write("file", "12345");
  EXPECT_TRUE(list("file").empty());
  // It fits in the place of the old one, and not beside it.
  const auto published = publish(file("file", "1234567"), 6);
  EXPECT_EQ(published->front().replaced_bytes, 5U);
  EXPECT_TRUE(list("file").empty());
  EXPECT_EQ(publish(file("file", "1234567890"), 2).error().code, ErrorCode::over_quota);
  EXPECT_TRUE(list("file").empty());
  EXPECT_EQ(read("file"), "1234567");
  EXPECT_EQ(publish(file("file", "123"), 3)->front().replaced_bytes, 0U);
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"1234567"}));
}

TEST_P(KeptVersionsTest, AWriteThatFailsKeepsNothingAndLosesNothing) {
  for (const std::string text : {"0", "1", "2", "3"}) write("file", text);
  auto wrong = file("file", "4");
  wrong.options.replaces = storage::FileVersion{};
  EXPECT_EQ(publish(wrong).error().code, ErrorCode::changed);
  const std::vector<NewFile> both{file("file", "5"), file("none/file", "5")};
  EXPECT_FALSE(run(names().publish(kTree, both, kNoLimit)));
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"2", "1", "0"}));
  EXPECT_EQ(read("file"), "3");
  expect_right_figures();
}

TEST_P(KeptVersionsTest, OneOfSeveralPublishedTogetherIsNoVersionOfAnother) {
  write("file", "old");
  const std::vector<NewFile> files{file("file", "a"), file("file", "b"), file("new", "c"),
                                   file("new", "d")};
  ASSERT_TRUE(run(names().publish(kTree, files, kNoLimit)));
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"old"}));
  EXPECT_EQ(read("file"), "b");
  EXPECT_TRUE(list("new").empty());
  EXPECT_EQ(read("new"), "d");
  expect_right_figures();
}

TEST_P(KeptVersionsTest, RestoringSwaps) {
  for (const std::string text : {"1", "22", "333"}) write("file", text);
  const auto versions = list("file");
  const auto restored = restore("file", versions[1].id);
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->freed_bytes, 0U);
  EXPECT_EQ(restored->entry.size_bytes, 1U);
  EXPECT_EQ(restored->entry.modified_at, versions[1].modified_at);
  EXPECT_EQ(read("file"), "1");
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"333", "22"}));
  EXPECT_EQ(version_of(run(names().stat(kTree, path("file"))).value()),
            version_of(restored->entry));
  EXPECT_EQ(restore("file", versions[1].id).error().code, ErrorCode::not_found);
  EXPECT_EQ(size(), (TreeSize{1, 1, 1, 5}));
  expect_right_figures();
}

TEST_P(KeptVersionsTest, RestoringChecksTheStateOfTheFile) {
  for (const std::string text : {"1", "22"}) write("file", text);
  const auto id = list("file")[0].id;
  storage::WriteOptions options;
  options.replaces = version_of(run(names().stat(kTree, path("file"))).value());
  write("file", "333");
  EXPECT_EQ(restore("file", id, options).error().code, ErrorCode::changed);
  EXPECT_EQ(read("file"), "333");
  options.replaces = version_of(run(names().stat(kTree, path("file"))).value());
  EXPECT_TRUE(restore("file", id, options));
}

TEST_P(KeptVersionsTest, TheSameContentIsNoVersionOfItself) {
  write("file", "1");
  ASSERT_TRUE(run(names().copy(kTree, path("file"), path("copy"), kNoLimit, {})));
  write("file", "2");
  ASSERT_TRUE(restore("file", list("file")[0].id));
  change("UPDATE versions SET content = (SELECT content FROM nodes WHERE name = 'file')");
  const auto restored = restore("file", list("file")[0].id);
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->freed_bytes, 1U);
  EXPECT_TRUE(list("file").empty());
  EXPECT_EQ(read("file"), "1");
  expect_right_figures();
}

TEST_P(KeptVersionsTest, VersionsGoWithTheirFileAndNotWithCopies) {
  ASSERT_TRUE(run(names().make_folder(kTree, Path(), path("a/b"))));
  for (const std::string text : {"1", "22"}) write("a/b/file", text);
  const auto id = list("a/b/file")[0].id;
  ASSERT_TRUE(run(names().copy(kTree, path("a"), path("copy"), kNoLimit, {})));
  EXPECT_TRUE(list("copy/b/file").empty());
  ASSERT_TRUE(run(names().rename(kTree, path("a/b/file"), path("a/other"))));
  ASSERT_TRUE(run(names().rename(kTree, path("a"), path("c"))));
  const auto found = run(versions().find(kTree, id));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file, path("c/other"));
  EXPECT_EQ(found->version.size_bytes, 1U);
  EXPECT_EQ(run(names().remove(kTree, path("c/other"))), (TreeSize{2, 1, 0, 1}));
  EXPECT_EQ(run(versions().find(kTree, id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(count("versions"), 0);
}

TEST_P(KeptVersionsTest, AFolderThatIsRemovedTakesThemAlong) {
  ASSERT_TRUE(run(names().make_folder(kTree, Path(), path("a/b"))));
  for (const std::string text : {"1", "22"}) write("a/b/file", text);
  for (const std::string text : {"1", "22"}) write("beside", text);
  EXPECT_EQ(run(names().remove(kTree, path("a"))), (TreeSize{2, 1, 2, 1}));
  EXPECT_EQ(count("versions"), 1);
  EXPECT_EQ(total(), 1U);
  collect();
  EXPECT_EQ(count("contents"), 2);
  EXPECT_EQ(contents("beside"), (std::vector<std::string>{"1"}));
  ASSERT_TRUE(run(names().remove_tree("home")));
  collect();
  EXPECT_EQ(count("versions"), 0);
  EXPECT_EQ(count("contents"), 0);
}

TEST_P(KeptVersionsTest, AFolderThatIsRemovedTakesThoseOfAllFilesBelowIt) {
  const std::string bin(storage::kBinFolder);
  for (const std::string folder : {"top/a/b/c", "top/a/d", "beside"}) {
    ASSERT_TRUE(run(names().make_folder(kTree, Path(), path(folder))));
  }
  for (const std::string target : {"top/a/b/c/file", "top/a/d/file", "top/file", "beside/file"}) {
    for (const std::string text : {"1", "22", "333"}) write(target, text);
  }
  write("top/a/none", "4444");
  // A copy has the content that becomes a version.
  ASSERT_TRUE(run(names().copy(kTree, path("top/a/d/file"), path("beside/copy"), kNoLimit, {})));
  write("top/a/d/file", "55555");
  ASSERT_TRUE(run(names().make_folder(kTree, Path(), path(bin))));
  ASSERT_TRUE(run(names().rename(kTree, path("top"), path(bin) / path("top"))));
  EXPECT_EQ(count("versions"), 9);
  EXPECT_EQ(run(names().remove(kTree, path(bin) / path("top"))), (TreeSize{15, 4, 5, 12}));
  EXPECT_EQ(count("versions"), 2);
  EXPECT_EQ(contents("beside/file"), (std::vector<std::string>{"22", "1"}));
  collect();
  EXPECT_EQ(count("contents"), 4);
  EXPECT_EQ(read("beside/copy"), "333");
  expect_right_figures();
}

TEST_P(KeptVersionsTest, ContentsAreNoGarbageWhileAVersionHasThem) {
  ASSERT_TRUE(publish(file("file", "", 10'000)));
  ASSERT_TRUE(publish(file("file", "", 20'000)));
  collect();
  EXPECT_TRUE(run(names().garbage(0s, 100))->empty());
  const auto id = list("file")[0].id;
  EXPECT_EQ(run(versions().open(kTree, id))->content->segments.size(), 1U);
  EXPECT_EQ(run(versions().remove(kTree, path("file"), id)), 10'000U);
  EXPECT_EQ(run(versions().remove(kTree, path("file"), id)).error().code, ErrorCode::not_found);
  collect();
  EXPECT_EQ(run(names().garbage(0s, 100))->size(), 1U);
  expect_right_figures();
}

TEST_P(KeptVersionsTest, AnIdIsOfOneTreeAndOneFile) {
  for (const std::string text : {"1", "22"}) write("file", text);
  write("other", "3");
  const auto id = list("file")[0].id;
  EXPECT_EQ(run(versions().find(kOther, id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(versions().open(kOther, id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(restore("other", id).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(versions().remove(kTree, path("other"), id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(versions().remove(kOther, path("file"), id)).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(versions().list(kTree, path("none"))).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(versions().list(kTree, Path())).error().code, ErrorCode::invalid);
  EXPECT_EQ(list("file").size(), 1U);
}

TEST_P(KeptVersionsTest, TheOldestGoForRoom) {
  for (const std::string text : {"1", "22", "333", "4"}) write("file", text);
  for (const std::string text : {"55555", "6"}) write("other", text);
  EXPECT_EQ(total(), 11U);
  EXPECT_EQ(run(versions().free_up(kTree, 2)), 3U);
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"333"}));
  EXPECT_EQ(contents("other"), (std::vector<std::string>{"55555"}));
  EXPECT_EQ(run(versions().free_up(kTree, 100)), 8U);
  EXPECT_EQ(run(versions().free_up(kTree, 100)), 0U);
  expect_right_figures();
}

TEST_P(KeptVersionsTest, OldOnesAndThoseBeyondTheLimitExpire) {
  for (const std::string text : {"1", "22", "333", "4"}) write("file", text);
  change("UPDATE versions SET replaced_at = 5 WHERE size_bytes = 1");
  const Timestamp before{std::chrono::nanoseconds(6)};
  auto expired = run(versions().expire(kTree, before));
  EXPECT_EQ(expired->freed_bytes, 1U);
  EXPECT_TRUE(expired->is_more);
  expired = run(versions().expire(kTree, before));
  EXPECT_EQ(expired->freed_bytes, 0U);
  EXPECT_FALSE(expired->is_more);
  versions().keep(1);
  EXPECT_EQ(run(versions().expire(kTree, before))->freed_bytes, 2U);
  EXPECT_EQ(contents("file"), (std::vector<std::string>{"333"}));
  EXPECT_EQ(run(versions().expire(kOther, now()))->freed_bytes, 0U);
  expect_right_figures();
}

TEST_P(KeptVersionsTest, AnAccountHasSoManyAtMost) {
  write("file", "1");
  write("file", "22");
  for (int first = 1; first < 50'000; first += 10'000) {
    change(fmt::format(
        "INSERT INTO versions (id, tree, node, content, size_bytes, modified_at, replaced_at, "
        "by_account, by_key) WITH RECURSIVE numbers (n) AS (SELECT {} UNION ALL SELECT n + 1 FROM "
        "numbers WHERE n < {}) SELECT 1000000 + n, v.tree, v.node, v.content, 1, 0, n, '', '' "
        "FROM versions v, numbers WHERE v.id < 1000000",
        first, first + 9'999));
  }
  change(
      "UPDATE nodes SET versions = versions + 50000, version_bytes = version_bytes + 50000 "
      "WHERE versions > 0");
  versions().keep(100'000'000);
  std::uint64_t freed = 0;
  // Each time that it looks, it removes the oldest.
  for (int i = 0; i < 200; ++i) freed += write("other", std::to_string(i));
  EXPECT_EQ(freed, 200U);
  EXPECT_EQ(count("versions"), static_cast<long long>(kMostVersions));
  EXPECT_EQ(count("versions WHERE replaced_at <= 200"), 0);
  expect_right_figures();
}

}  // namespace
}  // namespace coffer::catalog
