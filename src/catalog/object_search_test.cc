#include "catalog/object_search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "async/run.h"
#include "base/folding.h"
#include "catalog/catalog.h"
#include "catalog/database.h"
#include "catalog/object_names.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"
#include "storage/partial_name.h"

namespace coffer::catalog {
namespace {

using namespace std::chrono_literals;
using storage::TreeQuery;

constexpr storage::NameTreeId kTree{7};
constexpr storage::NameTreeId kOther{8};
constexpr int kMany = 6000;  // More than are listed.

class ObjectSearchTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ASSERT_TRUE(run(names().make_tree(kTree, "home")));
    ASSERT_TRUE(run(names().make_tree(kOther, "other")));
  }
  ObjectNames& names() { return catalog_->object_names(); }
  static Path path(std::string_view text) { return Path::parse(text).value(); }

  storage::NewFile file(std::string_view target, std::string bytes) {
    auto content = std::make_shared<storage::StoredContent>();
    content->id = run(names().draw_content()).value();
    content->size_bytes = bytes.size();
    content->bytes = std::move(bytes);
    return {.target = path(target),
            .created_at = Timestamp(1s),
            .modified_at = Timestamp(std::chrono::seconds(content->size_bytes)),
            .content = std::move(content)};
  }
  /// Its time of modification is as many seconds as it has bytes.
  void add(std::string_view target, std::string bytes = "x", storage::NameTreeId tree = kTree) {
    const auto one = file(target, std::move(bytes));
    ASSERT_TRUE(run(names().publish(tree, std::span(&one, 1), UINT64_MAX)));
  }
  void make_folder(std::string_view target, storage::NameTreeId tree = kTree) {
    ASSERT_TRUE(run(names().make_folder(tree, Path(), path(target))));
  }
  void add_many(std::string_view folder) {
    std::vector<storage::NewFile> files;
    for (int i = 0; i < kMany; ++i) {
      files.push_back(file(fmt::format("{}/number {}", folder, i), ""));
    }
    ASSERT_TRUE(run(names().publish(kTree, files, UINT64_MAX)));
  }
  static std::string folded(std::string_view text) {
    std::string out;
    fold(text, out);
    return out;
  }

  /// All pages of a search; nullopt if folders are to be listed instead.
  std::optional<std::multiset<std::string>> found(std::string_view folder, TreeQuery query) {
    auto search = run(names().search(kTree, path(folder), std::move(query))).value();
    if (!search) return std::nullopt;
    std::multiset<std::string> paths;
    looked_at_ = 0;
    for (bool is_last = false; !is_last;) {
      const auto page = run(search->next()).value();
      for (const auto& item : page.found) {
        paths.insert((item.folder / path(item.entry.name)).str());
      }
      looked_at_ += page.looked_at;
      is_last = page.is_last;
    }
    return paths;
  }
  std::multiset<std::string> found(TreeQuery query) { return found("", std::move(query)).value(); }

  std::uint64_t looked_at_ = 0;
};
COFFER_ON_BOTH_DATABASES(ObjectSearchTest);

using Paths = std::multiset<std::string>;

TEST_P(ObjectSearchTest, FindsNamesAtAllDepths) {
  make_folder("Höhe/deep/Ähre");
  add("HÖHE.txt");
  add("Höhe/deep/Ähre/hohe");
  add("Höhe/other");
  const Paths expected{"Höhe", "HÖHE.txt", "Höhe/deep/Ähre/hohe"};
  EXPECT_EQ(found({.contains = folded("Höhe")}), expected);
  EXPECT_EQ(found({.contains = "none"}), Paths());
  EXPECT_EQ(found(TreeQuery()).size(), 6u);
}

TEST_P(ObjectSearchTest, ReturnsEntriesAsListingsDo) {
  make_folder("a");
  add("a/file", "12345");
  auto search = run(names().search(kTree, Path(), {.contains = "file"})).value();
  const auto page = run(search->next()).value();
  ASSERT_EQ(page.found.size(), 1u);
  EXPECT_EQ(page.found[0].folder, path("a"));
  const auto listed = run(names().list(kTree, path("a"), {})).value();
  const auto& entry = page.found[0].entry;
  EXPECT_EQ(entry.name, "file");
  EXPECT_EQ(storage::version_of(entry), storage::version_of(listed[0]));
  EXPECT_EQ(entry.created_at, listed[0].created_at);
  EXPECT_FALSE(entry.is_directory);
  EXPECT_TRUE(page.is_last);
  EXPECT_EQ(page.looked_at, 2u);
}

TEST_P(ObjectSearchTest, WhatTextsOfPatternsMeanElsewhereIsTheirs) {
  for (const auto* name : {"50%", "50x", "a_b", "axb", "c\\d", "c\\\\d", "e*f"}) add(name);
  EXPECT_EQ(found({.contains = "0%"}), Paths{"50%"});
  EXPECT_EQ(found({.contains = "a_b"}), Paths{"a_b"});
  EXPECT_EQ(found({.contains = "c\\d"}), Paths{"c\\d"});
  EXPECT_EQ(found({.contains = "e*f"}), Paths{"e*f"});
}

TEST_P(ObjectSearchTest, AsksForKindsTimesAndSizes) {
  make_folder("folder");
  for (const int size : {1, 2, 3}) add(fmt::format("file{}", size), std::string(size, 'x'));
  EXPECT_EQ(found({.is_directory = true}), Paths{"folder"});
  EXPECT_EQ(found({.is_directory = false}).size(), 3u);
  EXPECT_EQ(found({.min_bytes = 2, .max_bytes = 2}), Paths{"file2"});
  EXPECT_EQ(found({.max_bytes = 0}), Paths{"folder"});
  EXPECT_EQ(found({.is_directory = false, .modified_after = Timestamp(3s)}), Paths{"file3"});
  // The limit itself may be found; the caller looks at it again.
  EXPECT_EQ(found({.is_directory = false, .modified_before = Timestamp(1s)}), Paths{"file1"});
}

TEST_P(ObjectSearchTest, LeavesOutWhatIsHiddenRemovedOrElsewhere) {
  const std::string hidden = storage::partial_name();
  make_folder(hidden + "/photo below");
  add("photo");
  make_folder("gone/photos");
  add("gone/photos/photo");
  ASSERT_TRUE(run(names().remove(kTree, path("gone"))));
  add("photo", "x", kOther);
  EXPECT_EQ(found({.contains = "photo"}), Paths{"photo"});
  ASSERT_TRUE(run(names().take_apart_removed(1)));
  EXPECT_EQ(found({.contains = "photo"}), Paths{"photo"});
}

TEST_P(ObjectSearchTest, LooksAtManyNamesInPages) {
  make_folder("many/below");
  add_many("many");
  ASSERT_TRUE(run(names().rename(kTree, path("many/number 17"), path("many/below/seventeen"))));
  EXPECT_EQ(found({.contains = "number"}).size(), kMany - 1u);
  EXPECT_GE(looked_at_,
            kMany + 2u);  // A page that finds too many is left, and its rest looked at again.
  EXPECT_EQ(found({.contains = "seventeen"}), Paths{"many/below/seventeen"});
  EXPECT_EQ(looked_at_, kMany + 2u);
  auto search = run(names().search(kTree, Path(), TreeQuery())).value();
  EXPECT_LE(run(search->next())->found.size(), 1000u);
}

TEST_P(ObjectSearchTest, SearchesALargeFolderAlone) {
  make_folder("many/below");
  make_folder("other");
  add_many("many");
  add("many/below/wanted");
  add("other/wanted");
  EXPECT_EQ(found("many", {.contains = "wanted"}), Paths{"below/wanted"});
  EXPECT_EQ(found("many", TreeQuery())->size(), kMany + 2u);
}

TEST_P(ObjectSearchTest, ASmallFolderIsListed) {
  make_folder("small");
  add("small/file");
  EXPECT_EQ(found("small", TreeQuery()), std::nullopt);
  const auto error = [&](std::string_view folder) {
    return run(names().search(kTree, path(folder), TreeQuery())).error().code;
  };
  EXPECT_EQ(error("none"), ErrorCode::not_found);
  EXPECT_EQ(error("small/file"), ErrorCode::invalid);
}

TEST_P(ObjectSearchTest, AnIndexHasRoomForTheLongestName) {
  // Three bytes that become nine, and no repetition that could be packed.
  std::string name;
  for (int i = 0; i < 85; ++i) {
    const unsigned letter = 0xAC01U + static_cast<unsigned>(i) * 29U;
    name += static_cast<char>(0xE0U | (letter >> 12U));
    name += static_cast<char>(0x80U | ((letter >> 6U) & 0x3FU));
    name += static_cast<char>(0x80U | (letter & 0x3FU));
  }
  ASSERT_EQ(name.size(), 255u);
  ASSERT_GT(folded(name).size(), 700u);
  add(name);
  EXPECT_EQ(found({.contains = folded(name)}), Paths{name});
}

TEST_P(ObjectSearchTest, ReadsTheNamesFromTheIndexAlone) {
  make_folder("many");
  add_many("many");
  const auto database = Database::open(url_).value();
  auto plan = [&](sql::Connection& sql) -> Result<std::string> {
    const bool is_sqlite = sql.is_sqlite();
    if (!is_sqlite) sql.run_once("SET LOCAL enable_seqscan = off");
    std::string text;
    for (const sql::Row& row :
         sql.query(fmt::format("EXPLAIN {} SELECT id, folded FROM nodes WHERE tree = 7 AND id > 1 "
                               "ORDER BY id LIMIT 1000",
                               is_sqlite ? "QUERY PLAN" : ""))) {
      text += row.get<std::string>(is_sqlite ? 3 : 0) + '\n';
    }
    return text;
  };
  const auto text = run(database->run(Lane::write, Turn::server(), plan)).value();
  EXPECT_NE(text.find(database->is_sqlite() ? "COVERING INDEX nodes_by_tree" : "nodes_by_tree"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace coffer::catalog
