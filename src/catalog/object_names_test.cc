#include "catalog/object_names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "async/run.h"
#include "base/clock.h"
#include "base/random.h"
#include "catalog/database.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"
#include "storage/partial_name.h"

namespace coffer::catalog {
namespace {

using namespace std::chrono_literals;
using storage::NewFile;
using storage::TreeSize;

constexpr storage::NameTreeId kTree{7};
constexpr storage::NameTreeId kOther{8};

class ObjectNamesTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ASSERT_TRUE(run(names().make_tree(kTree, "home")));
  }
  ObjectNames& names() { return catalog_->object_names(); }
  static Path path(std::string_view text) { return Path::parse(text).value(); }

  /// A file whose content is in so many objects, or beside the name if in none.
  NewFile file(std::string_view target, std::size_t segments = 0) {
    auto content = std::make_shared<storage::StoredContent>();
    content->id = run(names().draw_content()).value();
    for (std::size_t i = 0; i < segments; ++i) {
      storage::Segment segment{run(names().draw_object()).value(), 10'000 + i};
      segment.sha256.fill(std::byte{static_cast<unsigned char>(200 + i)});
      content->size_bytes += segment.size_bytes;
      content->segments.push_back(std::move(segment));
    }
    if (segments == 0) content->bytes = std::string("a\0'\\\xff", 5);
    if (segments == 0) content->size_bytes = 5;
    return {.target = path(target),
            .created_at = now(),
            .modified_at = Timestamp(1'000'000'000s),
            .content = std::move(content)};
  }
  Result<std::vector<storage::Published>> publish(const NewFile& file,
                                                  storage::NameTreeId tree = kTree) {
    return run(names().publish(tree, std::span(&file, 1), UINT64_MAX));
  }
  void add(std::string_view target, std::size_t segments = 0) {
    ASSERT_TRUE(publish(file(target, segments)));
  }
  void make_folder(std::string_view target) {
    ASSERT_TRUE(run(names().make_folder(kTree, Path(), path(target))));
  }
  std::optional<ErrorCode> error_at(std::string_view target) {
    const auto found = run(names().stat(kTree, path(target)));
    return found ? std::nullopt : std::optional(found.error().code);
  }
  /// Adds so many segments to the content of a file.
  void add_segments(const NewFile& file, long long many) {
    const bool is_sqlite = GetParam() == Kind::sqlite;
    const std::string ids = fmt::format(
        "WITH RECURSIVE ids (i, id) AS (SELECT 1, {0} UNION ALL SELECT i + 1, {1} FROM ids "
        "WHERE i < {2}) ",
        is_sqlite ? "printf('%032d', 1)" : "CAST(lpad('1', 32, '0') AS UUID)",
        is_sqlite ? "printf('%032d', i + 1)" : "CAST(lpad(CAST(i + 1 AS TEXT), 32, '0') AS UUID)",
        many);
    change(ids +
           "INSERT INTO objects (id, run, state, changed_at) SELECT id, 'run', 1, 0 FROM ids");
    change(
        fmt::format("{}INSERT INTO segments (content, seq, object, at_byte, size_bytes, sha256) "
                    "SELECT {}, i, id, 0, 1, '\\x00' FROM ids",
                    ids, file.content->id.value));
  }
  void collect() {
    while (run(names().take_apart_removed(100)).value()) continue;
    while (run(names().release_contents(100)).value()) continue;
  }
  std::vector<std::string> garbage(std::chrono::seconds grace = 0s) {
    auto found = run(names().garbage(grace, 1000)).value();
    std::ranges::sort(found);
    return found;
  }
  static std::vector<std::string> objects_of(const NewFile& file) {
    std::vector<std::string> objects;
    for (const auto& segment : file.content->segments) objects.push_back(segment.object);
    std::ranges::sort(objects);
    return objects;
  }
  long long count(const std::string& table) {
    const auto database = Database::open(url_).value();
    auto job = [&](sql::Connection& sql) -> Result<long long> {
      return sql.only<long long>("SELECT count(*) FROM " + table);
    };
    return run(database->run(Lane::read, Turn::server(), job)).value();
  }
};
COFFER_ON_BOTH_DATABASES(ObjectNamesTest);

TEST_P(ObjectNamesTest, ReturnsContentsAsTheyWerePublished) {
  make_folder("a/b");
  for (const std::size_t segments : {0U, 1U, 3U}) {
    const auto written = file("a/b/file", segments);
    ASSERT_TRUE(publish(written));
    const auto opened = run(names().open(kTree, path("a/b/file"))).value();
    EXPECT_EQ(opened.content->id, written.content->id);
    EXPECT_EQ(opened.content->bytes, written.content->bytes);
    EXPECT_EQ(opened.content->segments, written.content->segments);
    EXPECT_EQ(opened.entry.name, "file");
    EXPECT_EQ(opened.entry.size_bytes, written.content->size_bytes);
    EXPECT_EQ(opened.entry.created_at, written.created_at);
    EXPECT_EQ(opened.entry.modified_at, written.modified_at);
    EXPECT_EQ(opened.entry.file_id, static_cast<std::uint64_t>(written.content->id.value));
  }
}

TEST_P(ObjectNamesTest, TreesAreApart) {
  ASSERT_TRUE(run(names().make_tree(kOther, "other")));
  add("file");
  EXPECT_EQ(error_at("file"), std::nullopt);
  EXPECT_FALSE(run(names().stat(kOther, path("file"))));
  EXPECT_TRUE(run(names().list(kOther, Path(), {}))->empty());
  const storage::NameTreeId missing{9};
  EXPECT_EQ(run(names().stat(missing, Path())).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(names().list(missing, Path(), {})).error().code, ErrorCode::not_found);
  EXPECT_EQ(publish(file("file"), missing).error().code, ErrorCode::not_found);
}

TEST_P(ObjectNamesTest, ATreeHasOneHome) {
  add("file");
  ASSERT_TRUE(run(names().make_tree(kTree, "home")));
  EXPECT_FALSE(run(names().make_tree(kTree, "another")));
  EXPECT_FALSE(run(names().make_tree(kOther, "home")));
  EXPECT_EQ(run(names().homes()), std::vector<std::string>{"home"});
  EXPECT_TRUE(run(names().has_tree(kTree, "home")).value());
  EXPECT_FALSE(run(names().has_tree(kTree, "another")).value());
  EXPECT_FALSE(run(names().has_tree(kOther, "home")).value());
  EXPECT_EQ(error_at("file"), std::nullopt);
}

TEST_P(ObjectNamesTest, ARemovedTreeIsGoneAndItsIdBeginsEmpty) {
  make_folder("folder");
  const auto inner = file("folder/file", 1);
  const auto outer = file("file", 1);
  ASSERT_TRUE(publish(inner) && publish(outer));
  ASSERT_TRUE(run(names().remove_tree("home")));
  ASSERT_TRUE(run(names().remove_tree("home")));
  EXPECT_EQ(error_at(""), ErrorCode::not_found);
  ASSERT_TRUE(run(names().make_tree(kTree, "another")));
  EXPECT_EQ(error_at("folder"), ErrorCode::not_found);
  collect();
  EXPECT_EQ(garbage().size(), 2U);
  EXPECT_EQ(count("nodes") + count("contents") + count("segments") + count("doomed"), 0);
}

TEST_P(ObjectNamesTest, ALargeTreeIsRemovedInParts) {
  constexpr int kFiles = 12'000;
  std::vector<NewFile> files;
  for (int i = 0; i < kFiles; ++i) files.push_back(file(fmt::format("f{}", i)));
  ASSERT_TRUE(run(names().publish(kTree, files, UINT64_MAX)));
  make_folder("folder");
  add("folder/file");
  ASSERT_TRUE(run(names().remove_tree("home")));
  EXPECT_EQ(count("doomed"), 1);
  ASSERT_TRUE(run(names().take_apart_removed(1000)).value());
  ASSERT_TRUE(run(names().make_tree(kTree, "home")));
  EXPECT_TRUE(run(names().list(kTree, Path(), {}))->empty());
  add("f1");
  make_folder("folder");
  collect();
  EXPECT_EQ(error_at("f1"), std::nullopt);
  EXPECT_EQ(count("nodes"), 2);
  EXPECT_EQ(count("contents"), 1);
  EXPECT_EQ(count("doomed") + count("loose"), 0);
}

TEST_P(ObjectNamesTest, ListsMoreThanItReadsAtOnce) {
  constexpr int kFiles = 12'000;
  std::vector<NewFile> files;
  for (int i = 0; i < kFiles; ++i) files.push_back(file("f" + std::to_string(i)));
  ASSERT_TRUE(run(names().publish(kTree, files, UINT64_MAX)));
  auto entries = run(names().list(kTree, Path(), {})).value();
  std::ranges::sort(entries, {}, &storage::Entry::name);
  const auto doubles = std::ranges::unique(entries, {}, &storage::Entry::name);
  EXPECT_EQ(entries.end() - entries.begin(), kFiles);
  EXPECT_TRUE(doubles.empty());
  std::size_t bytes = 0;
  const auto refused = run(names().list(kTree, Path(), [&](std::size_t more) {
    bytes += more;
    return bytes < 500'000;
  }));
  EXPECT_EQ(refused.error().code, ErrorCode::overloaded);
}

TEST_P(ObjectNamesTest, ASecondProcessDrawsOtherIds) {
  const auto other = open();
  std::set<std::int64_t> ids;
  for (int i = 0; i < 1500; ++i) {
    ids.insert(run(names().draw_content())->value);
    ids.insert(run(other->object_names().draw_content())->value);
  }
  EXPECT_EQ(ids.size(), 3000U);
}

TEST_P(ObjectNamesTest, ObjectsAreNotedBeforeTheyAreGivenOut) {
  std::set<std::string> objects;
  for (int i = 0; i < 300; ++i) {
    objects.insert(run(names().draw_object()).value());
    if (i == 0) {
      EXPECT_EQ(count("objects"), 256);
    }
  }
  EXPECT_EQ(objects.size(), 300U);
  EXPECT_EQ(count("objects WHERE state = 0"), 512);
}

TEST_P(ObjectNamesTest, ObjectsOfReplacedAndRemovedFilesBecomeGarbage) {
  const auto replaced = file("replaced", 2);
  const auto removed = file("removed", 1);
  ASSERT_TRUE(publish(replaced) && publish(removed));
  add("kept", 1);
  collect();
  EXPECT_TRUE(garbage().empty());
  add("replaced", 1);
  ASSERT_TRUE(run(names().remove(kTree, path("removed"))));
  EXPECT_TRUE(garbage().empty());  // Not released yet.
  collect();
  auto expected = objects_of(replaced);
  expected.push_back(removed.content->segments[0].object);
  std::ranges::sort(expected);
  EXPECT_EQ(garbage(), expected);
  EXPECT_TRUE(garbage(3600s).empty());
  ASSERT_TRUE(run(names().forget(expected)));
  EXPECT_TRUE(garbage().empty());
  EXPECT_EQ(count("contents"), 2);
  EXPECT_EQ(count("segments"), 2);
}

TEST_P(ObjectNamesTest, GarbageThatIsPutBackComesLaterAndHoldsUpNoOther) {
  const auto discarded = file("file", 3);
  const auto objects = objects_of(discarded);
  names().discard(objects);
  EXPECT_EQ(garbage(), objects);
  ASSERT_TRUE(run(names().put_back(std::span(objects).first(2), 0s)));
  EXPECT_EQ(garbage(), (std::vector{objects[2]}));
  change("UPDATE objects SET changed_at = changed_at - 3700000000000");
  EXPECT_EQ(garbage(), objects);
  ASSERT_TRUE(run(names().put_back(std::span(objects).first(2), 7200s)));
  // They were taken for two hours old, and are one hour old now.
  EXPECT_EQ(garbage(3500s).size(), 3U);
  EXPECT_EQ(garbage(3900s).size(), 0U);
  EXPECT_EQ(run(names().garbage(0s, 1)).value(), (std::vector{objects[2]}));
  EXPECT_EQ(count("objects WHERE state = 2"), 3);
}

TEST_P(ObjectNamesTest, ASharedContentStaysUntilItsLastNameGoes) {
  const auto first = file("first", 1);
  ASSERT_TRUE(publish(first));
  ASSERT_TRUE(run(names().copy(kTree, path("first"), path("second"), UINT64_MAX, {})));
  ASSERT_TRUE(run(names().remove(kTree, path("first"))));
  collect();
  EXPECT_TRUE(garbage().empty());
  EXPECT_EQ(run(names().open(kTree, path("second")))->content->segments, first.content->segments);
  ASSERT_TRUE(run(names().remove(kTree, path("second"))));
  collect();
  EXPECT_EQ(garbage(), objects_of(first));
}

TEST_P(ObjectNamesTest, AFolderOfFilesThatShareAContentIsTakenApart) {
  const auto shared = file("top/file", 1);
  make_folder("top");
  ASSERT_TRUE(publish(shared));
  ASSERT_TRUE(run(names().copy(kTree, path("top/file"), path("top/copy"), UINT64_MAX, {})));
  ASSERT_TRUE(run(names().remove(kTree, path("top"))));
  collect();
  EXPECT_EQ(garbage(), objects_of(shared));
}

TEST_P(ObjectNamesTest, DiscardedObjectsAreGarbageAndGetNoName) {
  const auto discarded = file("file", 1);
  names().discard(objects_of(discarded));
  EXPECT_EQ(garbage(), objects_of(discarded));
  const auto refused = publish(discarded);
  ASSERT_FALSE(refused);
  EXPECT_EQ(error_at("file"), ErrorCode::not_found);
}

/// As when the answer to the publication was lost.
TEST_P(ObjectNamesTest, ObjectsOfAFileAreNotDiscarded) {
  const auto shown = file("file", 1);
  ASSERT_TRUE(publish(shown));
  names().discard(objects_of(shown));
  EXPECT_TRUE(garbage().empty());
  EXPECT_TRUE(run(names().open(kTree, path("file"))));
}

TEST_P(ObjectNamesTest, ObjectsThatAnEndedRunDrewAreGarbage) {
  const auto mine = run(names().draw_object()).value();
  {
    const auto other = open();
    ASSERT_TRUE(run(other->object_names().draw_object()));
  }
  EXPECT_EQ(garbage().size(), 256U);
  const auto all = garbage();
  EXPECT_FALSE(std::ranges::binary_search(all, mine));
}

TEST_P(ObjectNamesTest, RemovedFoldersAreTakenApartStepByStep) {
  for (int i = 0; i < 5; ++i) {
    const std::string folder = "top/" + std::to_string(i) + "/deep";
    make_folder(folder);
    for (int k = 0; k < 5; ++k) add(folder + "/" + std::to_string(k), 1);
  }
  add("top/file");
  EXPECT_EQ(run(names().remove(kTree, path("top"))), (TreeSize{25 * 10'000 + 5, 26, 11}));
  EXPECT_EQ(error_at("top"), ErrorCode::not_found);
  EXPECT_EQ(count("nodes"), 37);
  make_folder("top");
  int steps = 0;
  while (run(names().take_apart_removed(3)).value()) ++steps;
  EXPECT_GE(steps, 9);
  EXPECT_EQ(count("nodes"), 1);
  EXPECT_EQ(count("doomed"), 0);
  EXPECT_EQ(count("loose"), 26);
  while (run(names().release_contents(4)).value()) continue;
  EXPECT_EQ(garbage().size(), 25U);
  EXPECT_EQ(count("contents"), 0);
}

TEST_P(ObjectNamesTest, ContentsWithManyObjectsAreReleasedInPortions) {
  constexpr long long kMany = 50'000;
  const auto large = file("large", 1);
  ASSERT_TRUE(publish(large));
  add_segments(large, kMany);
  add("kept", 1);
  add("removed", 1);
  for (const auto* name : {"large", "removed"}) {
    ASSERT_TRUE(run(names().remove(kTree, path(name))));
  }
  long long left = kMany + 3;
  for (bool is_more = true; is_more;) {
    is_more = run(names().release_contents(1000)).value();
    const long long before = std::exchange(left, count("segments"));
    EXPECT_LT(left, before);
    EXPECT_LE(before - left, 20'000);
  }
  EXPECT_EQ(left, 1);
  EXPECT_EQ(count("contents"), 1);
  EXPECT_EQ(count("loose"), 0);
  EXPECT_EQ(count("objects WHERE state = 2"), kMany + 2);
}

TEST_P(ObjectNamesTest, SizesOfTreesLeaveHiddenItemsOut) {
  make_folder("top/" + std::string(storage::kBinFolder) + "/inner");
  add("top/" + std::string(storage::kBinFolder) + "/inner/file", 1);
  add("top/shown");
  EXPECT_EQ(run(names().measure(kTree, path("top"))), (TreeSize{5, 1, 1}));
  EXPECT_EQ(run(names().copy(kTree, path("top"), path("copy"), UINT64_MAX, {})),
            (TreeSize{5, 1, 1}));
  EXPECT_EQ(run(names().list(kTree, path("copy"), {}))->size(), 1U);
  EXPECT_EQ(run(names().remove(kTree, path("top"))), (TreeSize{10'005, 2, 3}));
}

TEST_P(ObjectNamesTest, NamesAreComparedAndSortedByTheirBytes) {
  for (const auto* name :
       {"b", "B", "\u00e4", "a\"b", "a\\b", "%", "_", "a'b", "[\"", "1", "1.0"}) {
    add(name);
    EXPECT_EQ(error_at(name), std::nullopt) << name;
  }
  EXPECT_EQ(run(names().list(kTree, Path(), {}))->size(), 11U);
  EXPECT_EQ(error_at("\u00c4"), ErrorCode::not_found);
  EXPECT_EQ(error_at("a\u0308"), ErrorCode::not_found);
}

TEST_P(ObjectNamesTest, ManyFilesArePublishedAtOnce) {
  std::vector<NewFile> files;
  for (int i = 0; i < 200; ++i) files.push_back(file("f" + std::to_string(i), i % 2));
  ASSERT_TRUE(run(names().publish(kTree, files, UINT64_MAX)));
  EXPECT_EQ(run(names().measure(kTree, Path()))->files, 200U);
}

TEST_P(ObjectNamesTest, OfFilesWithOneTargetTheLastStays) {
  const auto old = file("file", 1);
  ASSERT_TRUE(publish(old));
  const std::vector<NewFile> files{file("file", 2), file("other"), file("file", 3)};
  const auto published = run(names().publish(kTree, files, UINT64_MAX)).value();
  EXPECT_EQ(published[0].replaced_bytes, old.content->size_bytes);
  EXPECT_FALSE(published[1].replaced);
  EXPECT_EQ(published[2].replaced_bytes, files[0].content->size_bytes);
  EXPECT_EQ(run(names().open(kTree, path("file")))->content->id, files[2].content->id);
  collect();
  EXPECT_EQ(garbage().size(), 3U);
  std::vector<NewFile> refused{file("new"), file("new")};
  refused[1].options.if_taken = storage::IfTaken::refuse;
  EXPECT_EQ(run(names().publish(kTree, refused, UINT64_MAX)).error().code, ErrorCode::exists);
  EXPECT_EQ(error_at("new"), ErrorCode::not_found);
}

TEST_P(ObjectNamesTest, CopiesAndRemovesATreeOfTenThousandFiles) {
  constexpr int kFolders = 100;
  constexpr int kFiles = 100;
  for (int i = 0; i < kFolders; ++i) {
    const std::string folder = "top/" + std::to_string(i);
    make_folder(folder);
    std::vector<NewFile> files;
    for (int k = 0; k < kFiles; ++k) files.push_back(file(folder + "/" + std::to_string(k)));
    ASSERT_TRUE(run(names().publish(kTree, files, UINT64_MAX)));
  }
  const TreeSize whole{5 * kFolders * kFiles, kFolders * kFiles, kFolders + 1};
  const auto timed = [](const char* what, auto work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    testing::Test::RecordProperty(what, std::to_string(took.count()));
  };
  timed("copy", [&] {
    EXPECT_EQ(run(names().copy(kTree, path("top"), path("copy"), whole.bytes, {})), whole);
  });
  timed("measure", [&] { EXPECT_EQ(run(names().measure(kTree, path("copy"))), whole); });
  timed("remove", [&] { EXPECT_EQ(run(names().remove(kTree, path("top"))), whole); });
  timed("take_apart", [&] {
    while (run(names().take_apart_removed(1000)).value()) continue;
  });
  timed("release", [&] {
    while (run(names().release_contents(1000)).value()) continue;
  });
  EXPECT_EQ(count("contents"), kFolders * kFiles);
  EXPECT_EQ(run(names().measure(kTree, Path()))->files,
            static_cast<std::uint64_t>(kFolders * kFiles));
}

}  // namespace
}  // namespace coffer::catalog
